import { z } from "zod";
import { Finding } from "@/lib/auto-moderation/schema";
import { clientId, cursor, filledText, timestamp } from "@/lib/http/fields";
import { moderationStatuses } from "@/lib/moderation/schema";
import { Review } from "@/lib/reviews/schema";

/** How a review came in. */
export const reviewSources = ["invitation", "web", "collect", "api", "import"] as const;

/** A yes that stands in an address as `1` and is left out otherwise. */
const mark = z.literal("1").optional();

/** What the queue shows, as it stands in the page's address. There is no filter or order by score: it is no ground to decide. */
export const QueueFilter = z.object({
  status: z.enum([...moderationStatuses, "all"]).default("pending"),
  source: z.enum(reviewSources).optional(),
  lang: z
    .string()
    .regex(/^[a-z]{2,3}$/, { error: "must be a language code such as sv" })
    .optional(),
  verified: mark.meta({ description: "Only verified buyers." }),
  photo: mark.meta({ description: "Only with a photo." }),
  reported: mark.meta({ description: "Only those that visitors reported." }),
  unverified: mark.meta({
    description: "Only those whose author has yet to confirm the address; the others otherwise, while pending.",
  }),
  q: filledText(320)
    .optional()
    .meta({ description: "Exactly a review id, order id, customer id, product family or e-mail address." }),
});
export type QueueFilter = z.output<typeof QueueFilter>;

export const QueueQuery = QueueFilter.extend({
  client_id: clientId,
  after: cursor,
});
export type QueueQuery = z.output<typeof QueueQuery>;

/** A review with what a moderator needs besides. `received_at` is when it came in, from which it waits. */
export const QueueItem = Review.extend({
  received_at: timestamp,
  source: z.enum(reviewSources),
  product_url: z.string().nullable(),
  /** its author has yet to confirm the address */
  unverified: z.boolean(),
  /** open reports of visitors */
  reports: z.int(),
  /** what the rules found in the text as it is now, in the order of the rules */
  findings: z.array(Finding),
});
export type QueueItem = z.infer<typeof QueueItem>;

/** One entry of an item's history, oldest first. `actor` is a name for people, as within a sentence. */
export const HistoryEntry = z.object({
  at: timestamp,
  actor: z.string(),
  action: z.string(),
  from: z.enum(moderationStatuses).nullable(),
  to: z.enum(moderationStatuses).nullable(),
  reason: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** What surrounds a review: where it came from and what was decided. Personal fields are null for viewers. */
export const ReviewContext = z.object({
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
    })
    .nullable(),
  /** the author's other reviews at this client, newest first, at most five */
  others: z.array(
    z.object({
      id: z.string(),
      product: z.string().nullable(),
      score: z.int(),
      date: z.string(),
      accepted: z.boolean().nullable(),
    }),
  ),
  /** what visitors reported and nobody has closed, newest first, at most fifty */
  reports: z.array(z.object({ at: timestamp, comment: z.string().nullable() })),
  history: z.array(HistoryEntry),
});
export type ReviewContext = z.infer<typeof ReviewContext>;

export const ReviewCase = z.object({ review: QueueItem, context: ReviewContext });
export type ReviewCase = z.infer<typeof ReviewCase>;

/** Whose work it is to decide what waits: the shop's own people's, or the operator's (`own_moderation`). */
export const queueOwners = ["client", "operator"] as const;

/** What waits for a decision: counted up to 999, `more` when there are others beyond. */
export const Waiting = z.object({
  count: z.int(),
  more: z.boolean(),
  oldest_at: timestamp.nullable(),
  queue: z.enum(queueOwners).meta({ description: "Whose work it is. The client's own users may decide in any case." }),
  yours: z.boolean().meta({ description: "Whether it is in the queue of who asks." }),
});
export type Waiting = z.infer<typeof Waiting>;
