import { z } from "zod";

// The facts of the service. A name says what happened; the data holds ids and states, never a customer's words, so
// that nothing personal lies in queues and logs.

const id = z.string().min(1);
const state = z.enum(["accepted", "rejected", "pending"]);
const inClient = <T extends z.ZodRawShape>(shape: T) => z.object({ client_id: id, ...shape });
/** What is moderated by rules: as `moderatedKinds` of the reviews, which a test compares. */
const moderatedKind = z.enum(["review", "seller_review", "question"]);
const edited = z.literal(true).optional();
const decision = { from: state, to: state, notify: z.boolean().optional() };

export const events = {
  /** a feed is to be fetched: because it is time, or somebody asked */
  "feed/due": inClient({
    feed_id: id,
    lane: z.string().optional(),
    asked: z.boolean().optional(),
    confirm_deletions: z.boolean().optional(),
  }),
  /** a file was uploaded whole and is to be imported */
  "feed/uploaded": inClient({
    upload_id: id,
    lane: z.string().optional(),
    confirm_deletions: z.boolean().optional(),
  }),
  /** a client's other system is to be asked and told what there is: because it is time, or somebody asked */
  "integration/due": inClient({
    kind: z.string(),
    lane: z.string(),
    asked: z.boolean().optional(),
    confirm_deletions: z.boolean().optional(),
  }),
  /** an order gave a family to items that the catalogue doesn't know; written by the statement that stores orders */
  "order/family_given": inClient({ product_ids: z.array(id).min(1) }),
  /** an author wrote it here, or rewrote it (`edited`) */
  "review/submitted": inClient({ review_id: id, edited }),
  /** the management API brought one that was written elsewhere: no mail and no interaction follow from it */
  "review/created": inClient({ review_id: id }),
  /** the management API changed what it says, or the shop hid a photo of it or showed it again */
  "review/updated": inClient({ review_id: id }),
  "review/deleted": inClient({ review_id: id }),
  "review/decided": inClient({ review_id: id, ...decision }),
  /** its author used the link mailed to the address given */
  "review/verified": inClient({ review_id: id }),
  /** the shop's public reply was written or reworded */
  "review/replied": inClient({ review_id: id, response_id: id }),
  "seller_review/submitted": inClient({ seller_review_id: id, edited }),
  "seller_review/decided": inClient({ seller_review_id: id, ...decision }),
  /** the shop hid a photo of it or showed it again */
  "seller_review/updated": inClient({ seller_review_id: id }),
  "seller_review/deleted": inClient({ seller_review_id: id }),
  "seller_review/replied": inClient({ seller_review_id: id, response_id: id }),
  "question/submitted": inClient({ question_id: id, edited }),
  "question/verified": inClient({ question_id: id }),
  "question/decided": inClient({ question_id: id, ...decision }),
  /** the shop hid a photo of it or showed it again */
  "question/updated": inClient({ question_id: id }),
  "question/deleted": inClient({ question_id: id }),
  /** an answer to it was published or reworded */
  "question/replied": inClient({ question_id: id, answer_id: id }),
  "answer/decided": inClient({ question_id: id, answer_id: id, ...decision }),
  /** its author's address is to be confirmed: a mail with a link is due */
  "verification/due": inClient({ kind: z.enum(["review", "question"]), id }),
  /**
   * These items became pending at a client with `auto_moderate`, and the rules are to judge them: submitted, edited, or
   * handed back by the API (`accepted: null`). Written with `moderationDueEvents` (lib/reviews/decisions/moderation-due.ts).
   */
  "moderation/due": inClient({ kind: moderatedKind, ids: z.array(id).min(1).max(1_000) }),
  /** a client's rules were switched on or changed: what waits is to be judged by them */
  "moderation/changed": inClient({
    /** how far a run before came */
    after: z.object({ kind: moderatedKind, time: z.string(), id: z.string() }).optional(),
  }),
  /** a client's due items are to be looked at now */
  "invitations/due": inClient({}),
  /** an invitation is written: its mail will go out */
  "invitation/scheduled": inClient({ invitation_id: id }),
  /** a written invitation is to be sent now */
  "invitation/claimed": inClient({ invitation_id: id }),
  /** written invitations are to be sent now, together */
  "invitations/claimed": inClient({ invitation_ids: z.array(id).min(1).max(100) }),
  "invitation/sent": inClient({ invitation_id: id }),
  /** an invitation is the merchant's own sender's to mail: a webhook tells it all */
  "invitation/handed": inClient({ invitation_id: id }),
  /** a written invitation was taken back before its mail went */
  "invitation/skipped": inClient({ invitation_id: id, reason: z.string() }),
  /** the mail service could not deliver its mail */
  "invitation/bounced": inClient({ invitation_id: id }),
  /** a mail is written and is to be handed to the mail service */
  "mail/queued": z.object({ mail_id: id, client_id: id.optional() }),
  /** a person is to be erased, and it was more than the request itself could do */
  "personal_data/deletion_requested": inClient({ request_id: id }),
  /** nothing of a person is left; the audit entry of that id says how much went */
  "personal_data/deleted": inClient({ erasure_id: id }),
  /** something is to be delivered to a webhook; follow.ts writes it with what */
  "webhook/due": inClient({ webhook_id: id }),
  /** something happened to a review of a client with an engagement platform; follow.ts writes it. `changed`: more than a decision */
  "engagement/review": inClient({ review_id: id, changed: z.literal(true).optional() }),
  /** something is to be told to the engagement platform now */
  "engagement/due": inClient({}),
  /** what the engagement platform was told of somebody erased, by its own ids: to be deleted there, or told anew */
  "engagement/orphaned": inClient({ remote: z.array(z.object({ kind: z.string(), id })).min(1) }),
} as const satisfies Record<string, z.ZodObject>;

export type EventName = keyof typeof events;
export type EventData<Name extends EventName> = z.infer<(typeof events)[Name]>;

/** A fact to be told once it is committed. `delay_seconds`: not before so many seconds from now (an undo window). */
export type OutboxEvent = {
  [Name in EventName]: { name: Name; data: EventData<Name>; delay_seconds?: number };
}[EventName];
