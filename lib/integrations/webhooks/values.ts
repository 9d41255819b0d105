import { DELEGATED_EVENT } from "@/lib/invitations/values";

/** Webhook values for the browser, without schemas. */

/** Events of webhooks. `webhook.test` is only sent on request. */
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

/** Default events: all without personal data. */
export const defaultEvents = webhookEvents.filter((event) => event !== DELEGATED_EVENT);

export const TEST_EVENT = "webhook.test";

/** Minimum attempts before a rejected event is given up while others are delivered. */
export const MIN_ATTEMPTS = 10;

/**
 * SQL: an event that was given up. Excludes test events, whose failure was reported to their sender, and withdrawn
 * invitations, which a concurrent process of the previous version records as failed.
 */
export const failedCondition = `state = 'failed' and event <> '${TEST_EVENT}' and (event <> '${DELEGATED_EVENT}' or attempts >= ${MIN_ATTEMPTS})`;

/** Pending events are counted up to this number. */
export const MAX_COUNTED_EVENTS = 1_000;
