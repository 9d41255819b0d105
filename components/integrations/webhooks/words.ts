import type { Tone } from "@/components/ui/badge";
import type { Webhook } from "@/lib/integrations/webhooks/schema";
import { MOST_WAITING, type WebhookEvent } from "@/lib/integrations/webhooks/values";
import type { Words } from "@/lib/platform/i18n/rules";

export const stateWords: Record<Webhook["state"], { word: string; tone: Tone }> = {
  active: { word: "Works", tone: "good" },
  paused: { word: "Paused", tone: "plain" },
  failing: { word: "Nothing gets through", tone: "bad" },
  disabled: { word: "Disabled", tone: "bad" },
};

/** Nobody hears of it who does not ask for it. */
const OWN_SENDER = "Invitations for your own sender, with the customer's address";

/** What a webhook can be told, in the groups that a form shows; `within` a sentence. */
export const eventGroups: { name: string; within: string; events: Partial<Record<WebhookEvent, string>> }[] = [
  {
    name: "Reviews",
    within: "reviews",
    events: {
      "review.created": "written",
      "review.updated": "changed",
      "review.accepted": "accepted",
      "review.rejected": "rejected",
      "review.replied": "replied to",
      "review.deleted": "deleted",
    },
  },
  {
    name: "Seller reviews",
    within: "seller reviews",
    events: {
      "seller_review.created": "written",
      "seller_review.updated": "changed",
      "seller_review.accepted": "accepted",
      "seller_review.rejected": "rejected",
      "seller_review.replied": "replied to",
      "seller_review.deleted": "deleted",
    },
  },
  {
    name: "Questions",
    within: "questions",
    events: {
      "question.created": "asked",
      "question.updated": "changed",
      "question.accepted": "accepted",
      "question.rejected": "rejected",
      "question.replied": "answered",
      "question.deleted": "deleted",
    },
  },
  {
    name: "Invitations",
    within: "invitations",
    events: {
      "invitation.scheduled": "scheduled",
      "invitation.sent": "sent",
      "invitation.skipped": "skipped",
      "invitation.bounced": "bounced",
    },
  },
  {
    name: OWN_SENDER,
    within: "invitations for your own sender, with the customer's address",
    events: { "invitation.handed": "to be sent" },
  },
  { name: "Personal data", within: "personal data", events: { "personal_data.deleted": "deleted" } },
];

/** What is told, in a few words: `everything`, or `reviews and 2 other events`. */
export function eventsStory(events: readonly string[], t: Words): string {
  const whole = eventGroups.filter((group) => Object.keys(group.events).every((event) => events.includes(event)));
  const open = eventGroups.filter(({ name }) => name !== OWN_SENDER);
  if (open.every((group) => whole.includes(group)))
    return whole.length > open.length ? t("everything, and invitations to send") : t("everything");
  const covered = new Set<string>(whole.flatMap((group) => Object.keys(group.events)));
  const n = events.filter((event) => !covered.has(event)).length;
  const parts = whole.map(({ within }) => t(within));
  if (n > 0)
    parts.push(parts.length > 0 ? t("{n} other event|{n} other events", { n }) : t("{n} event|{n} events", { n }));
  return new Intl.ListFormat(t.locale).format(parts);
}

export const waitingWords = (waiting: number, t: Words): string =>
  waiting === 0
    ? t("nothing waits")
    : waiting >= MOST_WAITING
      ? t("{most} events or more wait", { most: MOST_WAITING })
      : t("{n} event waits|{n} events wait", { n: waiting });
