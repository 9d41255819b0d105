import type { Tone } from "@/components/ui/badge";
import { momentWords } from "@/components/ui/time";
import type { Webhook, WebhookDelivery } from "@/lib/webhooks/schema";
import { MOST_WAITING, type WebhookEvent } from "@/lib/webhooks/values";

export const stateWords: Record<Webhook["state"], { word: string; tone: Tone }> = {
  active: { word: "Works", tone: "good" },
  paused: { word: "Paused", tone: "plain" },
  failing: { word: "Nothing gets through", tone: "bad" },
  disabled: { word: "Disabled", tone: "bad" },
};

export const deliveryWords: Record<WebhookDelivery["state"], { word: string; tone: Tone }> = {
  pending: { word: "Waits", tone: "warn" },
  sent: { word: "Told", tone: "good" },
  failed: { word: "Given up", tone: "bad" },
};

/** Nobody hears of it who does not ask for it. */
const OWN_SENDER = "Invitations for your own sender, with the customer's address";

/** What a webhook can be told, in the groups that a form shows. */
export const eventGroups: { name: string; events: Partial<Record<WebhookEvent, string>> }[] = [
  {
    name: "Reviews",
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
    events: {
      "invitation.scheduled": "scheduled",
      "invitation.sent": "sent",
      "invitation.skipped": "skipped",
      "invitation.bounced": "bounced",
    },
  },
  {
    name: OWN_SENDER,
    events: { "invitation.handed": "to be sent" },
  },
  { name: "Personal data", events: { "personal_data.deleted": "deleted" } },
];

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

/** What is told, in a few words: `everything`, or `reviews and 2 other events`. */
export function eventsStory(events: readonly string[]): string {
  const whole = eventGroups.filter((group) => Object.keys(group.events).every((event) => events.includes(event)));
  const open = eventGroups.filter(({ name }) => name !== OWN_SENDER);
  if (open.every((group) => whole.includes(group)))
    return whole.length > open.length ? "everything, and invitations to send" : "everything";
  const covered = new Set<string>(whole.flatMap((group) => Object.keys(group.events)));
  const rest = events.filter((event) => !covered.has(event)).length;
  const parts = whole.map(({ name }) => name.toLowerCase());
  if (rest > 0) parts.push(count(rest, parts.length > 0 ? "other event" : "event"));
  return parts.join(", ").replace(/, ([^,]*)$/, " and $1");
}

export const waitingWords = (waiting: number): string =>
  waiting === 0
    ? "nothing waits"
    : waiting >= MOST_WAITING
      ? `${MOST_WAITING.toLocaleString("en-GB")} events or more wait`
      : `${count(waiting, "event")} wait${waiting === 1 ? "s" : ""}`;

/** What came of an event so far, as a sentence. */
export function storyOf(
  { state, error, status, attempts, due_at, tried_at }: WebhookDelivery,
  timeZone: string,
): string {
  const tries = attempts > 1 ? ` at the ${attempts}${ordinal(attempts)} try` : "";
  if (state === "sent") return `Status ${status}${tries}, ${tried_at ? momentWords(tried_at, timeZone) : ""}`;
  const next = due_at ? ` Next try ${momentWords(due_at, timeZone)}.` : "";
  return error ? `${error}${attempts > 1 ? ` Tried ${attempts} times.` : ""}${next}` : "Not tried yet.";
}

const ordinal = (number: number): string =>
  number % 100 > 10 && number % 100 < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th");
