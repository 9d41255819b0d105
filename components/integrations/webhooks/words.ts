import type { Tone } from "@/components/ui/badge";
import type { Webhook } from "@/lib/integrations/webhooks/schema";
import { MOST_WAITING, type WebhookEvent } from "@/lib/integrations/webhooks/values";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export const stateWords: Record<Webhook["state"], { word: MessageKey; tone: Tone }> = {
  active: { word: "integrations.stateActive", tone: "good" },
  paused: { word: "common.paused", tone: "plain" },
  failing: { word: "webhooks.stateFailing", tone: "bad" },
  disabled: { word: "webhooks.stateDisabled", tone: "bad" },
};

/** Nobody hears of it who does not ask for it. */
const OWN_SENDER = "webhooks.externalSenderGroup";

/** What a webhook can be told, in the groups that a form shows; `within` a sentence. */
export const eventGroups: {
  name: MessageKey;
  within: MessageKey;
  events: Partial<Record<WebhookEvent, MessageKey>>;
}[] = [
  {
    name: "common.reviews",
    within: "webhooks.reviewsInline",
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
    within: "webhooks.sellerReviewsInline",
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
    within: "webhooks.questionsInline",
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
    within: "webhooks.invitationsInline",
    events: {
      "invitation.scheduled": "webhooks.eventScheduled",
      "invitation.sent": "webhooks.eventSent",
      "invitation.skipped": "webhooks.eventSkipped",
      "invitation.bounced": "webhooks.eventBounced",
    },
  },
  {
    name: OWN_SENDER,
    within: "webhooks.externalSenderInline",
    events: { "invitation.handed": "webhooks.eventToSend" },
  },
  {
    name: "navigation.personalData",
    within: "webhooks.personalDataInline",
    events: { "personal_data.deleted": "webhooks.eventDeleted" },
  },
];

/** What is told, in a few words: `everything`, or `reviews and 2 other events`. */
export function eventsStory(events: readonly string[], t: Translate): string {
  const whole = eventGroups.filter((group) => Object.keys(group.events).every((event) => events.includes(event)));
  const open = eventGroups.filter(({ name }) => name !== OWN_SENDER);
  if (open.every((group) => whole.includes(group)))
    return whole.length > open.length ? t("webhooks.allEventsAndInvitations") : t("webhooks.allEvents");
  const covered = new Set<string>(whole.flatMap((group) => Object.keys(group.events)));
  const n = events.filter((event) => !covered.has(event)).length;
  const parts = whole.map(({ within }) => t(within));
  if (n > 0) parts.push(parts.length > 0 ? t("webhooks.otherEventCount", { n }) : t("webhooks.eventCount", { n }));
  return new Intl.ListFormat(t.locale).format(parts);
}

export const waitingWords = (waiting: number, t: Translate): string =>
  waiting === 0
    ? t("webhooks.pendingNone")
    : waiting >= MOST_WAITING
      ? t("webhooks.pendingMany", { most: MOST_WAITING })
      : t("webhooks.pendingCount", { n: waiting });
