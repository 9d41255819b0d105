import { z } from "zod";
import { ages, itemSources, MAX_DECISIONS, reviewSources } from "@/lib/moderation/queue/values";
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
  writtenKinds,
} from "@/lib/reviews/decisions/schema";
import { Review } from "@/lib/reviews/reviews/schema";

/** A yes that stands in an address as `1` and is left out otherwise. */
const flag = z.literal("1").optional();

/** What the queue shows, as it stands in the page's address. There is no filter or order by score: it is no ground to decide. */
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
 * A review, seller review, question, answer or photo with what a moderator needs besides. A question's line is its `title`, the
 * rest of it its `extract`; of an answer the title is the question. `received_at` is when it came in, from which it waits.
 */
export const QueueItem = z.object({
  kind: z.enum(decidedKinds),
  ...Review.pick({ id: true, author: true, date: true }).shape,
  score: z.int().nullable(),
  title: z.string().nullable(),
  ...Review.pick({
    extract: true,
    pros: true,
    cons: true,
    lang: true,
    verified_buyer: true,
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
  /** its author has yet to confirm the address */
  unverified: z.boolean(),
  /** open reports of visitors */
  reports: z.int(),
  /** the shop's published replies; of a question its published answers */
  replies: z.int(),
  /** of a question: the asker wishes to be mailed the answer */
  mail_answer: z.boolean(),
  /** of an answer: the question it belongs to */
  question_id: z.string().nullable(),
  /** of a photo: what it came with, of which it shows author, text and score */
  came_with: z.object({ kind: z.enum(moderatedKinds), id: z.string() }).nullable(),
  /** which text it is: another one after each change of it */
  revision: z.string(),
  /** what the rules found in the text as it is now, in the order of the rules */
  findings: z.array(Finding),
});
export type QueueItem = z.infer<typeof QueueItem>;

/** One entry of an item's history, oldest first. */
export const HistoryEntry = z.object({
  at: timestamp,
  actor: z.object({
    kind: z.string(),
    /** of a person or a key that is still there */
    name: z.string().nullable(),
    /** which rule; null for all of them together, which found nothing against an item */
    rule: z.string().nullable(),
  }),
  action: z.string(),
  from: z.enum(moderationStatuses).nullable(),
  to: z.enum(moderationStatuses).nullable(),
  reason: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** A reply of the shop, or an answer to a question in any state. */
export const QueueReply = z.object({
  id: z.string(),
  author: z.string(),
  date: z.string(),
  text: z.string(),
  lang: z.string().nullable(),
  accepted: z.boolean().nullable(),
  reject_reason: z.string().nullable(),
  /** when the asker was mailed it */
  mailed_at: timestamp.nullable(),
});
export type QueueReply = z.infer<typeof QueueReply>;

/** What surrounds an item: where it came from and what was decided. Personal fields are null for viewers. */
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
      /** published reviews with 1, 2, 3, 4 and 5 stars */
      scores: z.array(z.int()),
    })
    .nullable(),
  /** what else the author wrote at this client, newest first, at most five */
  others: z.array(
    z.object({
      kind: z.enum(decidedKinds),
      id: z.string(),
      /** the product, or a question's line */
      title: z.string().nullable(),
      score: z.int().nullable(),
      date: z.string(),
      accepted: z.boolean().nullable(),
    }),
  ),
  /** items whose text is much like this one's, the most alike first, at most five; none where no rules compare texts */
  alike: z.array(
    z.object({
      kind: z.enum(decidedKinds),
      id: z.string(),
      /** the beginning of its text */
      text: z.string(),
      /** share of the text that is the same, 0 to 1 */
      similarity: z.number(),
      date: z.string(),
      accepted: z.boolean().nullable(),
    }),
  ),
  /** what visitors reported and nobody has closed, newest first, at most fifty */
  reports: z.array(z.object({ at: timestamp, comment: z.string().nullable() })),
  replies: z.array(QueueReply),
  /** photos that came with it and the shop does not show */
  hidden_photos: z.array(ImageObject),
  history: z.array(HistoryEntry),
});
export type ItemContext = z.infer<typeof ItemContext>;

export const ItemDetail = z.object({ item: QueueItem, context: ItemContext });
export type ItemDetail = z.infer<typeof ItemDetail>;

/** An item of a kind, as addresses name it. */
export const ItemParams = z.object({
  kind: z.enum(decidedKinds),
  id: z.string().min(1).max(64),
});
/** One that its author could be mailed about. */
export const WrittenParams = z.object({
  kind: z.enum(writtenKinds),
  id: z.string().min(1).max(64),
});

/** What a person decides of an item, and what they saw of it. */
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
    description: "Whether to undo the last decision. No events are sent if none were sent yet.",
  }),
};

/** A person's decision on an item. */
export const DecisionInput = z.object({ ...decisionFields, ...decisionOptions });

/** A person's decisions on several items. */
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

export const DecidedItem = z.object({ accepted: z.boolean().nullable(), reject_reason: z.string().nullable() });

/** What became of one of several items: its state now, and where nothing was decided a sentence that says why. */
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

/** Whose work it is to decide what waits: the shop's own people's, or the operator's (`own_moderation`). */
export const queueOwners = ["client", "operator"] as const;

/** What waits for a decision: counted up to 999 of each kind, `more` when there are others beyond. */
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

/** How many views of the queue a person may keep for a client: more than a list to pick from holds. */
export const MAX_VIEWS = 30;

/** A way to look at the queue, with how much of it there is: counted up to 99, `more` where there may be others. */
export const QueueView = z.object({
  id: z.string(),
  /** null for the views that everybody has */
  name: z.string().nullable(),
  /** the person's own, which can be removed */
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

/** Who else looks at an item now, the longest first. */
export const Viewers = z.object({ others: z.array(z.object({ name: z.string(), since: timestamp })) });

/** The mail that a rejection sends to its author, as it would read; `reasons` holds the sentence of each reason. */
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

/** A photo of an item, by its token. */
export const PhotoParams = z.object({
  kind: z.enum(moderatedKinds),
  id: z.string().min(1).max(64),
  token: z.string().min(1).max(64),
});
export const PhotoInput = z.object({ hidden: z.boolean() });
