import type { Tone } from "@/components/ui/badge";
import type { DeliveryLine, Integration, IntegrationRun, Sent } from "@/lib/integrations/schema";
import type { Words } from "@/lib/platform/i18n/rules";

export const stateWords: Record<Integration["state"], { word: string; tone: Tone }> = {
  active: { word: "Works", tone: "good" },
  paused: { word: "Paused", tone: "plain" },
  failing: { word: "Fails", tone: "bad" },
};

/** What a connected system is called before its first run, and while that is at work: nobody knows yet whether it works. */
export const firstWords = {
  fresh: { word: "Not run yet", tone: "plain" },
  running: { word: "At work", tone: "accent" },
} satisfies Record<string, { word: string; tone: Tone }>;

/** Where a connected system stands. */
export function integrationState({
  state,
  last_run_at,
  running,
}: Pick<Integration, "state" | "last_run_at" | "running">): { word: string; tone: Tone } {
  if (state !== "active" || last_run_at !== null) return stateWords[state];
  return running ? firstWords.running : firstWords.fresh;
}

export const runWords: Record<IntegrationRun["outcome"], { word: string; tone: Tone }> = {
  running: { word: "At work", tone: "accent" },
  done: { word: "Done§run", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};

export const outcomeWords: Record<DeliveryLine["outcome"], { word: string; tone: Tone }> = {
  pending: { word: "Waits", tone: "warn" },
  sent: { word: "Sent", tone: "good" },
  imported: { word: "Taken over", tone: "good" },
  skipped: { word: "Skipped", tone: "plain" },
  failed: { word: "Failed", tone: "bad" },
};

const deliveryKinds: Record<string, string> = {
  interaction: "Review as an interaction",
  attributes: "Ratings of the contact",
  "interaction.removal": "Removal of an interaction",
  "interaction.search": "Search for an interaction to remove",
  "attributes.rewrite": "Ratings of the contact, anew",
  order: "Order",
  order_refused: "Order that was not taken",
  order_item_refused: "Item of a receipt that was not taken",
  contact_refused: "Contact that was not taken",
  store_refused: "Store that was not taken",
  article_refused: "Article that was not taken",
};

/** What a delivery is, as its list names it. */
export const deliveryWords = (kind: string, t: Words): string =>
  t(deliveryKinds[kind] ?? kind.replaceAll(/[._]/g, " "));

const reasons: Record<string, string> = {
  unverified_email: "Its author has not confirmed the address.",
  no_contact: "The platform does not know this person.",
  ambiguous_contact: "The platform knows several such persons.",
  no_email: "There is neither an address nor a customer to look for.",
  no_reviews: "Nothing is left of the person to tell.",
  not_accepted: "It is not accepted yet.",
  unavailable: "The platform did not answer.",
  too_many_requests: "The platform asked to be left alone for a while.",
  key_refused: "The platform refuses the key.",
  schema_differs: "The platform's interaction schema does not fit.",
  refused: "The platform refused it.",
  not_offered: "The shop does not offer it: it waits there, belongs to another store, or is gone.",
};

/** Why something was not sent, as a sentence. A code without words is read out; what a system said in its own words stays. */
export const reasonWords = (reason: string, t: Words): string =>
  t(reasons[reason] ?? (/^[a-z]+(_[a-z]+)*$/.test(reason) ? reason.replaceAll("_", " ") : reason));

/** Why the engagement platform hears nothing of a review. */
export const untoldWords: Record<NonNullable<NonNullable<Sent["engagement"]>["untold"]>, string> = {
  imported: "Not sent: it was imported or came by the API, and only reviews written through your forms are sent.",
  before_connection: "Not sent: it was written before the platform was connected.",
  about_to: "It is about to be sent.",
};

/** The host of a system, wherever its settings keep the address. */
export function hostOf(settings: Record<string, unknown>): string | null {
  const address = Object.values(settings).find((value) => typeof value === "string" && URL.canParse(value));
  return typeof address === "string" ? new URL(address).host : null;
}
