import type { Tone } from "@/components/ui/badge";
import type { Integration, IntegrationRun } from "@/lib/integrations/schema";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** Titles of the forms that connect them. */
export const connectTitles: Record<Integration["kind"], MessageKey> = {
  engagement: "integrations.connectEngagement",
  commerce: "integrations.connectCommerce",
  share: "integrations.connectDeltaShare",
};

export const integrationStateLabels: Record<Integration["state"], { word: MessageKey; tone: Tone }> = {
  active: { word: "integrations.stateActive", tone: "good" },
  paused: { word: "common.paused", tone: "plain" },
  failing: { word: "integrations.stateFailing", tone: "bad" },
};

/** State of an integration before and during its first run, when it isn't known whether it works. */
export const initialStateLabels = {
  notRun: { word: "integrations.stateNotRun", tone: "plain" },
  running: { word: "integrations.stateSyncing", tone: "accent" },
} satisfies Record<string, { word: MessageKey; tone: Tone }>;

/** An integration's state. */
export function integrationState({
  state,
  last_run_at,
  running,
}: Pick<Integration, "state" | "last_run_at" | "running">): { word: MessageKey; tone: Tone } {
  if (state !== "active" || last_run_at !== null) return integrationStateLabels[state];
  return running ? initialStateLabels.running : initialStateLabels.notRun;
}

export const runOutcomeLabels: Record<IntegrationRun["outcome"], { word: MessageKey; tone: Tone }> = {
  running: { word: "integrations.stateSyncing", tone: "accent" },
  done: { word: "deliveries.runCompleted", tone: "good" },
  failed: { word: "common.failed", tone: "bad" },
};

/** The host of an integration; null if its settings contain no address. */
export function hostOf(settings: Record<string, unknown>): string | null {
  const address = Object.values(settings).find((value) => typeof value === "string" && URL.canParse(value));
  return typeof address === "string" ? new URL(address).host : null;
}
