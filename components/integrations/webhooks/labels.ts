import type { Tone } from "@/components/ui/badge";
import type { Webhook } from "@/lib/integrations/webhooks/schema";
import { MAX_COUNTED_EVENTS, type WebhookEvent } from "@/lib/integrations/webhooks/values";
import { formatList } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export const webhookStateLabels: Record<Webhook["state"], { word: MessageKey; tone: Tone }> = {
  active: { word: "integrations.stateActive", tone: "good" },
  paused: { word: "common.paused", tone: "plain" },
  failing: { word: "webhooks.stateFailing", tone: "bad" },
  disabled: { word: "webhooks.stateDisabled", tone: "bad" },
};

/** These events are only sent to webhooks that subscribe to them by name. */
const EXTERNAL_SENDER = "webhooks.externalSenderGroup";

/** The events of webhooks, in the form's groups; `inlineName` for use in a sentence. */
export const eventGroups: {
  name: MessageKey;
  inlineName: MessageKey;
  events: Partial<Record<WebhookEvent, MessageKey>>;
}[] = [
  {
    name: "common.reviews",
    inlineName: "webhooks.reviewsInline",
    events: {
      "review.created": "webhooks.eventCreated",
      "review.updated": "webhooks.eventUpdated",
      "review.accepted": "webhooks.eventPublished",
      "review.rejected": "webhooks.eventRejected",
      "review.replied": "webhooks.eventReplied",
      "review.deleted": "webhooks.eventDeleted",
    },
  },
  {
    name: "common.sellerReviews",
    inlineName: "webhooks.sellerReviewsInline",
    events: {
      "seller_review.created": "webhooks.eventCreated",
      "seller_review.updated": "webhooks.eventUpdated",
      "seller_review.accepted": "webhooks.eventPublished",
      "seller_review.rejected": "webhooks.eventRejected",
      "seller_review.replied": "webhooks.eventReplied",
      "seller_review.deleted": "webhooks.eventDeleted",
    },
  },
  {
    name: "common.questions",
    inlineName: "webhooks.questionsInline",
    events: {
      "question.created": "webhooks.eventAsked",
      "question.updated": "webhooks.eventUpdated",
      "question.accepted": "webhooks.eventPublished",
      "question.rejected": "webhooks.eventRejected",
      "question.replied": "webhooks.eventAnswered",
      "question.deleted": "webhooks.eventDeleted",
    },
  },
  {
    name: "navigation.invitations",
    inlineName: "webhooks.invitationsInline",
    events: {
      "invitation.scheduled": "webhooks.eventScheduled",
      "invitation.sent": "webhooks.eventSent",
      "invitation.skipped": "webhooks.eventSkipped",
      "invitation.bounced": "webhooks.eventBounced",
    },
  },
  {
    name: EXTERNAL_SENDER,
    inlineName: "webhooks.externalSenderInline",
    events: { "invitation.handed": "webhooks.eventToSend" },
  },
  {
    name: "webhooks.personalDataGroup",
    inlineName: "webhooks.personalDataInline",
    events: { "personal_data.deleted": "webhooks.eventDeleted" },
  },
];

/** The subscribed events in a few words: `everything`, or `reviews and 2 other event types`. */
export function eventsSummary(events: readonly string[], t: Translate): string {
  const fullGroups = eventGroups.filter((group) => Object.keys(group.events).every((event) => events.includes(event)));
  const defaultGroups = eventGroups.filter(({ name }) => name !== EXTERNAL_SENDER);
  if (defaultGroups.every((group) => fullGroups.includes(group)))
    return fullGroups.length > defaultGroups.length ? t("webhooks.allEventsAndInvitations") : t("webhooks.allEvents");
  const covered = new Set<string>(fullGroups.flatMap((group) => Object.keys(group.events)));
  const n = events.filter((event) => !covered.has(event)).length;
  const parts = fullGroups.map(({ inlineName }) => t(inlineName));
  if (n > 0)
    parts.push(parts.length > 0 ? t("webhooks.otherEventTypeCount", { n }) : t("webhooks.eventTypeCount", { n }));
  return formatList(parts, t.language);
}

export const pendingLabel = (pending: number, t: Translate): string =>
  pending === 0
    ? t("webhooks.pendingNone")
    : pending >= MAX_COUNTED_EVENTS
      ? t("webhooks.pendingMany", { most: MAX_COUNTED_EVENTS })
      : t("webhooks.pendingCount", { n: pending });
