import { DELEGATED_EVENT } from "@/lib/invitations/values";

/** What the browser needs of this room besides types: no schemas here. */

/** What a webhook can be told. `webhook.test` comes when somebody asks for it. */
export const webhookEvents = [
  "review.created",
  "review.updated",
  "review.accepted",
  "review.rejected",
  "review.deleted",
  "review.replied",
  "seller_review.created",
  "seller_review.updated",
  "seller_review.accepted",
  "seller_review.rejected",
  "seller_review.deleted",
  "seller_review.replied",
  "question.created",
  "question.updated",
  "question.accepted",
  "question.rejected",
  "question.deleted",
  "question.replied",
  "invitation.scheduled",
  DELEGATED_EVENT,
  "invitation.sent",
  "invitation.skipped",
  "invitation.bounced",
  "personal_data.deleted",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a webhook hears that asks for nothing in particular: everything that names nobody. */
export const defaultEvents = webhookEvents.filter((event) => event !== DELEGATED_EVENT);

export const TEST_EVENT = "webhook.test";

/** An event that is refused while others get through is tried so many times at least. */
export const MIN_ATTEMPTS = 10;

/**
 * The condition that an event was given up. A test event that was not taken was told to whoever sent it, and is no loss;
 * nor is a mail that was withdrawn, which a process of the version before, still at work beside this one, notes as failed.
 */
export const failedCondition = `state = 'failed' and event <> '${TEST_EVENT}' and (event <> '${DELEGATED_EVENT}' or attempts >= ${MIN_ATTEMPTS})`;

/** So many waiting events are counted; where there are more, nobody needs to know how many. */
export const MAX_COUNTED_EVENTS = 1_000;
