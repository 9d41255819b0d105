import { z } from "zod";

// The outbox events of the service. A name says what happened; data contains ids and states, never text by customers,
// so that queues and logs contain no personal data.

const id = z.string().min(1);
const state = z.enum(["accepted", "rejected", "pending"]);
const inClient = <T extends z.ZodRawShape>(shape: T) => z.object({ client_id: id, ...shape });
/** The kinds moderated by rules, like `moderatedKinds` in lib/moderation; a test compares them. */
const moderatedKind = z.enum(["review", "seller_review", "question"]);
const edited = z.literal(true).optional();
/** `appealed`: the author appealed, and is to be notified of the outcome */
const decision = { from: state, to: state, notify: z.boolean().optional(), appealed: z.literal(true).optional() };

export const events = {
  /** a feed is due, by schedule or on request */
  "feed/due": inClient({
    feed_id: id,
    lane: z.string().optional(),
    asked: z.boolean().optional(),
    confirm_deletions: z.boolean().optional(),
  }),
  /** a file was completely uploaded and is to be imported */
  "feed/uploaded": inClient({
    upload_id: id,
    lane: z.string().optional(),
    confirm_deletions: z.boolean().optional(),
  }),
  /** a file of reviews is to be checked or imported, or an import to be undone */
  "import/requested": inClient({ import_id: id, step: z.enum(["check", "import", "undo"]), lane: z.string() }),
  /** an integration is to be synced, by schedule or on request */
  "integration/due": inClient({
    kind: z.string(),
    lane: z.string(),
    asked: z.boolean().optional(),
    confirm_deletions: z.boolean().optional(),
  }),
  /** an order gave a family to items that the catalog doesn't contain; written by the statement that stores orders */
  "order/family_given": inClient({ product_ids: z.array(id).min(1) }),
  /** an author submitted it, or edited it (`edited`) */
  "review/submitted": inClient({ review_id: id, edited }),
  /** created by the management API from elsewhere: causes no email and no interaction */
  "review/created": inClient({ review_id: id }),
  /** the management API changed its content, or the store hid or showed one of its photos */
  "review/updated": inClient({ review_id: id }),
  "review/deleted": inClient({ review_id: id }),
  /** the store checked the reports of it, and keeps it */
  "review/reports_closed": inClient({ review_id: id }),
  "review/decided": inClient({ review_id: id, ...decision }),
  /** it was rejected, and somebody who reported it gave an address */
  "review/reported_rejected": inClient({ review_id: id }),
  /** its author used the link in the verification email */
  "review/verified": inClient({ review_id: id }),
  /** the store's public reply was created or changed */
  "review/replied": inClient({ review_id: id, response_id: id }),
  "seller_review/submitted": inClient({ seller_review_id: id, edited }),
  "seller_review/decided": inClient({ seller_review_id: id, ...decision }),
  /** the store hid or showed one of its photos */
  "seller_review/updated": inClient({ seller_review_id: id }),
  "seller_review/deleted": inClient({ seller_review_id: id }),
  "seller_review/replied": inClient({ seller_review_id: id, response_id: id }),
  "question/submitted": inClient({ question_id: id, edited }),
  "question/verified": inClient({ question_id: id }),
  "question/decided": inClient({ question_id: id, ...decision }),
  /** the store hid or showed one of its photos */
  "question/updated": inClient({ question_id: id }),
  "question/deleted": inClient({ question_id: id }),
  /** an answer to it was published or reworded */
  "question/replied": inClient({ question_id: id, answer_id: id }),
  "answer/decided": inClient({ question_id: id, answer_id: id, ...decision }),
  /** its author's address is to be confirmed: an email with a link is due */
  "verification/due": inClient({ kind: z.enum(["review", "question"]), id }),
  /**
   * These items became pending at a client with `auto_moderate` and are to be checked by the rules: submitted, edited,
   * or reset by the API (`accepted: null`). Written with `moderationDueEvents`
   * (lib/reviews/decisions/moderation-due.ts).
   */
  "moderation/due": inClient({ kind: moderatedKind, ids: z.array(id).min(1).max(1_000) }),
  /** a client's rules were enabled or changed: pending items are to be checked */
  "moderation/changed": inClient({
    /** position of the previous run */
    after: z.object({ kind: moderatedKind, time: z.string(), id: z.string() }).optional(),
  }),
  /** a client's due items are to be checked now */
  "invitations/due": inClient({}),
  /** an import of a store began to write these photos: a day later, those without a row are deleted */
  "photos/imported": inClient({ keys: z.array(id).min(1).max(500) }),
  /** an invitation was created: its email will be sent */
  "invitation/scheduled": inClient({ invitation_id: id }),
  /** an invitation is to be sent now */
  "invitation/claimed": inClient({ invitation_id: id }),
  /** invitations are to be sent now, together */
  "invitations/claimed": inClient({ invitation_ids: z.array(id).min(1).max(100) }),
  "invitation/sent": inClient({ invitation_id: id }),
  /** an invitation is delegated to the merchant's sender: a webhook delivers its content */
  "invitation/handed": inClient({ invitation_id: id }),
  /** an invitation was canceled before its email was sent */
  "invitation/skipped": inClient({ invitation_id: id, reason: z.string() }),
  /** the email service could not deliver its email */
  "invitation/bounced": inClient({ invitation_id: id }),
  /** a person has a new notification that they want by email */
  "notification/due": z.object({ user_id: id }),
  /** an email was queued and is to be passed to the email service */
  "mail/queued": z.object({ mail_id: id, client_id: id.optional() }),
  /** a person is to be erased, with more data than the request itself could delete */
  "personal_data/deletion_requested": inClient({ request_id: id }),
  /** all data of a person was deleted; the audit entry with that id has the counts */
  "personal_data/deleted": inClient({ erasure_id: id }),
  /** deliveries to a webhook are due; derived-events.ts writes it together with them */
  "webhook/due": inClient({ webhook_id: id }),
  /**
   * a review of a client with an engagement platform changed; derived-events.ts writes it. `changed`: more than a
   * decision
   */
  "engagement/review": inClient({ review_id: id, changed: z.literal(true).optional() }),
  /** records are to be sent to the engagement platform now */
  "engagement/due": inClient({}),
  /** records of an erased person at the engagement platform, by its ids: to be deleted there, or sent again */
  "engagement/orphaned": inClient({ remote: z.array(z.object({ kind: z.string(), id })).min(1) }),
} as const satisfies Record<string, z.ZodObject>;

export type EventName = keyof typeof events;
export type EventData<Name extends EventName> = z.infer<(typeof events)[Name]>;

/**
 * An outbox event, delivered after the commit. `delay_seconds`: not before this many seconds from now (an undo window).
 */
export type OutboxEvent = {
  [Name in EventName]: { name: Name; data: EventData<Name>; delay_seconds?: number };
}[EventName];
