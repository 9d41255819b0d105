import type { Tone } from "@/components/ui/badge";
import type { DeliveryLine, Integration, IntegrationRun } from "@/lib/integrations/schema";

export const stateWords: Record<Integration["state"], { word: string; tone: Tone }> = {
  active: { word: "Works", tone: "good" },
  paused: { word: "Paused", tone: "plain" },
  failing: { word: "Fails", tone: "bad" },
};

export const runWords: Record<IntegrationRun["outcome"], { word: string; tone: Tone }> = {
  running: { word: "At work", tone: "accent" },
  done: { word: "Done", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};

export const outcomeWords: Record<DeliveryLine["outcome"], { word: string; tone: Tone }> = {
  pending: { word: "Waits", tone: "warn" },
  sent: { word: "Sent", tone: "good" },
  imported: { word: "Taken over", tone: "good" },
  skipped: { word: "Skipped", tone: "plain" },
  failed: { word: "Failed", tone: "bad" },
};

/** Why something was not sent, as a sentence; a reason without words is shown as it is. */
export const reasonWords = (reason: string): string =>
  ({
    unverified_email: "Its author has not confirmed the address.",
    no_contact: "The platform does not know this person.",
    ambiguous_contact: "The platform knows several such persons.",
    no_email: "There is neither an address nor a customer to look for.",
    not_accepted: "It is not accepted yet.",
  })[reason] ?? reason.replaceAll("_", " ");

/** Counts by name in a few words: `12 orders, 1 skipped`. */
export const countsStory = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`)
    .join(", ") || "nothing new";

/** The host of a system, wherever its settings keep the address. */
export function hostOf(settings: Record<string, unknown>): string | null {
  const address = Object.values(settings).find((value) => typeof value === "string" && URL.canParse(value));
  return typeof address === "string" ? new URL(address).host : null;
}
