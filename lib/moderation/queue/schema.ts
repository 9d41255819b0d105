import { z } from "zod";
import { Colleague } from "@/lib/accounts/schema";
import { ModerationNote } from "@/lib/moderation/notes/schema";
import { ages, assignees, itemSources, MAX_DECISIONS, reviewSources } from "@/lib/moderation/queue/values";
import { Finding } from "@/lib/moderation/rules/schema";
import { clientId, cursor, filledText, params, reason, timestamp } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { ImageObject } from "@/lib/reviews/contributions/schema";
import {
  type DecidedKind,
  decidedKinds,
  moderatedKinds,
  moderationStatuses,
  rejectReasons,
  textKinds,
} from "@/lib/reviews/decisions/schema";
import { Review } from "@/lib/reviews/reviews/schema";

/** A flag that is `1` in a URL, or missing. */
const flag = z.literal("1").optional();

/**
 * The queue's filter, as in the page's URL. There is no filter or order by score, since a score is no reason to decide.
 */
export const QueueFilter = z.object({
  kind: z.enum(decidedKinds).optional().meta({ description: "Only items of this kind." }),
  status: z.enum([...moderationStatuses, "all"]).default("pending"),
  source: z.enum(reviewSources).optional(),
  lang: z
    .string()
    .regex(/^[a-z]{2,3}$/, { error: encodeReason("not_a_language", { example: "sv" }) })
    .optional(),
  verified: flag.meta({ description: "Only items by verified buyers." }),
  photo: flag.meta({ description: "Only items with a photo." }),
  reported: flag.meta({ description: "Only items reported by visitors." }),
  unverified: flag.meta({
    description:
      "Only items whose author has not confirmed the email address. Without this filter, such pending items are left out.",
  }),
  unreplied: flag.meta({ description: "Only items without a reply, or questions without an answer." }),
  text: flag.meta({ description: "Only items with text, not just a score." }),
  reason: z.enum(rejectReasons).optional().meta({ description: "Only items rejected for this reason." }),
  age: z.enum(ages).optional().meta({ description: "Only items older than this." }),
  assigned: z
    .enum(assignees)
    .optional()
    .meta({ description: "Only items assigned to the caller (`me`), or unassigned (`none`)." }),
  product: filledText(255).optional().meta({ description: "Only items about this product or product family, by id." }),
  brand: filledText(255).optional().meta({ description: "Only items about products of this brand in the catalog." }),
  words: filledText(100).optional().meta({ description: "Only items whose text contains this, ignoring case." }),
  q: filledText(320)
    .optional()
    .meta({ description: "Exact id, order id, customer id, product, product family or email address." }),
});
export type QueueFilter = z.output<typeof QueueFilter>;

export const QueueQuery = QueueFilter.extend({
  client_id: clientId,
  after: cursor,
});
export type QueueQuery = z.output<typeof QueueQuery>;

/**
 * A review, seller review, question, answer or photo with what a moderator needs. `title` is a question's text and
 * `extract` its details; for an answer, `title` is the question. `received_at` is when it was submitted.
 */
export const QueueItem = z.object({
  kind: z.enum(decidedKinds),
  ...Review.pick({ id: true, author: true, date: true }).shape,
  /** null for kinds without a score, and if `stars_hidden` */
  score: z.int().nullable(),
  /** it has a score, which the reader doesn't see until it is decided */
  stars_hidden: z.boolean(),
  title: z.string().nullable(),
  ...Review.pick({
    extract: true,
    pros: true,
    cons: true,
    lang: true,
    verified_buyer: true,
    incentivized: true,
    product: true,
    images: true,
    properties: true,
    family_ids: true,
    product_ids: true,
    order_id: true,
    customer_id: true,
    updated_at: true,
    accepted: true,
    reject_reason: true,
    verified_email: true,
    portal_url: true,
  }).shape,
  author_email: z.string().nullable(),
  received_at: timestamp,
  source: z.enum(itemSources),
  product_url: z.string().nullable(),
  /** the author hasn't confirmed the email address yet */
  unverified: z.boolean(),
  /** open reports by visitors */
  reports: z.int(),
  /** the store's published replies; for a question, its published answers */
  replies: z.int(),
  /** for a question: the author wants the answer by email */
  mail_answer: z.boolean(),
  /** for an answer: its question */
  question_id: z.string().nullable(),
  /** for a photo: the item it was uploaded with, whose author, text and score it shows */
  came_with: z.object({ kind: z.enum(moderatedKinds), id: z.string() }).nullable(),
  /** who takes care of it while it is pending */
  assigned: Colleague.nullable(),
  /** while it is pending because its author appealed a rejection; `rejected_by`: the person who rejected it, if one did */
  appeal: z.object({ at: timestamp, text: z.string(), rejected_by: z.string().nullable() }).nullable(),
  /** changes with every edit of the text */
  revision: z.string(),
  /** findings in the current text, in the order of the rules */
  findings: z.array(Finding),
});
export type QueueItem = z.infer<typeof QueueItem>;

/** An entry of an item's history, oldest first. */
export const HistoryEntry = z.object({
  at: timestamp,
  actor: z.object({
    kind: z.string(),
    /** of a person or key that still exists */
    name: z.string().nullable(),
    /** the rule's name; null if no rule found anything */
    rule: z.string().nullable(),
  }),
  action: z.string(),
  from: z.enum(moderationStatuses).nullable(),
  to: z.enum(moderationStatuses).nullable(),
  reason: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** A reply of the store, or an answer to a question in any state. */
export const QueueReply = z.object({
  id: z.string(),
  author: z.string(),
  date: z.string(),
  text: z.string(),
  lang: z.string().nullable(),
  accepted: z.boolean().nullable(),
  reject_reason: z.string().nullable(),
  /** when the answer was emailed to the author of the question */
  mailed_at: timestamp.nullable(),
});
export type QueueReply = z.infer<typeof QueueReply>;

/** An item's context: its origin and history. Personal fields are null for viewers. */
export const ItemContext = z.object({
  order: z
    .object({
      id: z.string(),
      created_at: timestamp,
      store_name: z.string().nullable(),
      item_count: z.int(),
      item_name: z.string().nullable(),
      delivery_date: z.string().nullable(),
    })
    .nullable(),
  customer: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }).nullable(),
  invitation: z
    .object({ sent_at: timestamp.nullable(), clicked_at: timestamp.nullable(), kind: z.string() })
    .nullable(),
  product: z
    .object({
      id: z.string(),
      name: z.string(),
      url: z.string().nullable(),
      count: z.int(),
      average: z.number().nullable(),
      /** number of published reviews with 1, 2, 3, 4 and 5 stars */
      scores: z.array(z.int()),
    })
    .nullable(),
  /** other items by the author at this client, newest first, at most five */
  others: z.array(
    z.object({
      kind: z.enum(decidedKinds),
      id: z.string(),
      /** the product, or a question's text */
      title: z.string().nullable(),
      score: z.int().nullable(),
      date: z.string(),
      accepted: z.boolean().nullable(),
    }),
  ),
  /** items with a similar text, most similar first, at most five; empty if no rules compare texts */
  alike: z.array(
    z.object({
      kind: z.enum(decidedKinds),
      id: z.string(),
      /** the start of its text */
      text: z.string(),
      /** share of the text that is equal, 0 to 1 */
      similarity: z.number(),
      date: z.string(),
      accepted: z.boolean().nullable(),
    }),
  ),
  /** open reports by visitors, newest first, at most fifty */
  reports: z.array(z.object({ at: timestamp, comment: z.string().nullable() })),
  replies: z.array(QueueReply),
  /** photos of the item that the store doesn't show */
  hidden_photos: z.array(ImageObject),
  history: z.array(HistoryEntry),
  /** the team's notes, oldest first; empty for viewers */
  notes: z.array(ModerationNote),
});
export type ItemContext = z.infer<typeof ItemContext>;

export const ItemDetail = z.object({ item: QueueItem, context: ItemContext });
export type ItemDetail = z.infer<typeof ItemDetail>;

/** URL parameters of an item. */
export const ItemParams = z.object({
  kind: z.enum(decidedKinds),
  id: z.string().min(1).max(64),
});
/** URL parameters of an item whose author may get an email. */
export const TextItemParams = z.object({
  kind: z.enum(textKinds),
  id: z.string().min(1).max(64),
});

/** A decision and the item's state and text it was based on. */
const decisionFields = {
  accepted: z.boolean().nullable(),
  reject_reason: z.enum(rejectReasons).optional(),
  from: z.enum(moderationStatuses).optional().meta({
    description: "State that the person saw. If it changed since, nothing is changed.",
  }),
  seen: z
    .string()
    .regex(/^\d{1,18}$/, { error: encodeReason("not_a_revision") })
    .optional()
    .meta({ description: "`revision` that the person saw. If the text changed since, nothing is changed." }),
};
const decisionOptions = {
  notify: z.boolean().optional().meta({ description: "Whether to email the author." }),
  undo: z.boolean().optional().meta({
    description:
      "Whether to undo the last decision: no events are sent if none were sent yet, and the item is assigned again.",
  }),
};

/** A decision on one item. */
export const DecisionInput = z.object({ ...decisionFields, ...decisionOptions });

/** Decisions on several items. */
export const DecisionsInput = z.object({
  items: z
    .array(z.object({ ...ItemParams.shape, ...decisionFields }))
    .min(1)
    .max(MAX_DECISIONS)
    .refine((items) => new Set(items.map(({ kind, id }) => `${kind} ${id}`)).size === items.length, {
      error: encodeReason("duplicate_item"),
    }),
  ...decisionOptions,
});
export type DecisionsInput = z.output<typeof DecisionsInput>;

export const DecidedItem = z.object({
  accepted: z.boolean().nullable(),
  reject_reason: z.string().nullable(),
  /** the person who has a pending item now: undoing a decision assigns it again */
  assigned: Colleague.nullable(),
});

/** The result for one of several items: its current state, and a message if nothing was decided. */
export const ItemOutcome = z.object({
  ...ItemParams.shape,
  outcome: z.enum(["done", "conflict", "gone"]).meta({
    description:
      "`conflict`: the item was decided or changed since the person loaded it. `gone`: the item doesn't exist.",
  }),
  message: z.string().nullable(),
  reason: reason.nullable(),
  params,
  ...DecidedItem.shape,
});
export type ItemOutcome = z.infer<typeof ItemOutcome>;

/** Who moderates a client's queue: its own team, or operators (`own_moderation`). */
export const queueOwners = ["client", "operator"] as const;

/** Pending items, counted up to 999 per kind; `more` if there are others. */
export const PendingCounts = z.object({
  count: z.int(),
  more: z.boolean(),
  oldest_at: timestamp.nullable(),
  queue: z
    .enum(queueOwners)
    .meta({ description: "Team that moderates the item. People of the store can always decide." }),
  yours: z.boolean().meta({ description: "Whether the item is in the caller's queue." }),
  kinds: z
    .object({
      review: z.int(),
      seller_review: z.int(),
      question: z.int(),
      answer: z.int(),
      photo: z.int(),
    } satisfies Record<DecidedKind, unknown>)
    .meta({ description: "Count by kind, each up to 999." }),
  reported: z.int().meta({ description: "Number of published reviews that visitors reported, up to 999." }),
  unanswered: z.int().meta({ description: "Number of published questions without an answer, up to 999." }),
});
export type PendingCounts = z.infer<typeof PendingCounts>;

/** A view of the queue with its count, up to 99; `more` if there may be others. */
export const QueueView = z.object({
  id: z.string(),
  /** null for system views */
  name: z.string().nullable(),
  /** the person's own, which can be deleted */
  own: z.boolean(),
  filter: QueueFilter,
  count: z.int(),
  more: z.boolean(),
});
export type QueueView = z.infer<typeof QueueView>;

export const NewView = z.object({
  name: filledText(60).meta({ description: "Name of the view. A view with the same name is replaced." }),
  filter: QueueFilter,
});
export type NewView = z.output<typeof NewView>;

export const ViewParams = z.object({ id: z.string().min(1).max(64) });

/** Other people who view an item now, longest first. */
export const Viewers = z.object({ others: z.array(z.object({ name: z.string(), since: timestamp })) });

/** A preview of the rejection email; `reasons` contains the text for each reason. */
export const RejectionMail = z.object({
  told: z.enum(["mailed", "no_address", "not_from_here", "suppressed", "nobody"]).meta({
    description:
      "Whether an email is sent, or why not: no address, submitted elsewhere, address suppressed, or an answer by the store.",
  }),
  lang: z.string(),
  subject: z.string(),
  lines: z.array(z.string()),
  label: z.string(),
  reasons: z.record(z.string(), z.string()),
  after: z.array(z.string()),
  button: z.string(),
  note: z.string().nullable(),
});
export type RejectionMail = z.infer<typeof RejectionMail>;

/** URL parameters of an item's photo, by token. */
export const PhotoParams = z.object({
  kind: z.enum(moderatedKinds),
  id: z.string().min(1).max(64),
  token: z.string().min(1).max(64),
});
export const PhotoInput = z.object({ hidden: z.boolean() });
