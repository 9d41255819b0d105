import type { Tone } from "@/components/ui/badge";
import { isMostlySkipped } from "@/lib/feeds/rules";
import type { Feed, ImportLine, ImportState } from "@/lib/feeds/schema";
import type { MessageKey } from "@/lib/platform/i18n/translator";

// Texts of the feed pages, in words that merchants use.

export const importKindLabels: Record<ImportLine["kind"], MessageKey> = {
  products: "navigation.products",
  orders: "common.orders",
  reviews: "common.reviews",
  externals: "common.externalRatings",
};

/** Title of an import's report. */
export const importTitles: Record<ImportLine["kind"], MessageKey> = {
  products: "feeds.productImport",
  orders: "feeds.orderImport",
  reviews: "feeds.reviewImport",
  externals: "feeds.externalRatingImport",
};

export const scheduleLabels: Record<string, MessageKey> = {
  hourly: "feeds.hourly",
  every_6_hours: "feeds.every6Hours",
  daily: "feeds.daily",
  weekly: "feeds.weekly",
};

export const importStateLabels: Record<ImportState, { word: MessageKey; tone: Tone }> = {
  queued: { word: "feeds.stateQueued", tone: "plain" },
  running: { word: "common.inProgress", tone: "accent" },
  following: { word: "feeds.stateFinishing", tone: "accent" },
  done: { word: "feeds.stateDone", tone: "good" },
  refused: { word: "feeds.stateNotImported", tone: "warn" },
  failed: { word: "common.failed", tone: "bad" },
};

/** An import's state, including whether rows were rejected. */
export const importState = (
  line: Pick<ImportLine, "status" | "read" | "rejected">,
): { word: MessageKey; tone: Tone } =>
  line.status === "done" && isMostlySkipped({ last_read: line.read, last_rejected: line.rejected })
    ? feedStateLabels.mostlySkipped
    : importStateLabels[line.status];

export const feedStateLabels = {
  fetching: { word: "feeds.fetching", tone: "accent" },
  failed: { word: "common.failed", tone: "bad" },
  refused: { word: "feeds.stateNotImported", tone: "warn" },
  mostlySkipped: { word: "feeds.stateMostlySkipped", tone: "warn" },
  paused: { word: "common.paused", tone: "plain" },
  fresh: { word: "feeds.stateNew", tone: "plain" },
  current: { word: "feeds.stateUpToDate", tone: "good" },
} satisfies Record<string, { word: MessageKey; tone: Tone }>;

/** A feed's state, from its setting and its last run. */
export function feedState(feed: Feed): { word: MessageKey; tone: Tone } {
  if (feed.under_way) return feedStateLabels.fetching;
  if (feed.last_outcome === "failed" || feed.last_outcome === "refused") return feedStateLabels[feed.last_outcome];
  if (isMostlySkipped(feed)) return feedStateLabels.mostlySkipped;
  if (!feed.enabled) return feedStateLabels.paused;
  return feed.last_outcome === null ? feedStateLabels.fresh : feedStateLabels.current;
}

export const isInProgress = ({ status }: Pick<ImportLine, "status">): boolean =>
  status === "queued" || status === "running" || status === "following";

type ImportSegment = { name: MessageKey; count: number; fill: string };

/** An import's rows as segments; empty segments are omitted. */
export function importSegments(
  line: Pick<ImportLine, "created" | "updated" | "unchanged" | "rejected">,
): ImportSegment[] {
  const all: ImportSegment[] = [
    { name: "feeds.created", count: line.created, fill: "bg-good" },
    { name: "feeds.changed", count: line.updated, fill: "bg-accent" },
    { name: "feeds.unchanged", count: line.unchanged, fill: "bg-edge" },
    { name: "feeds.skipped", count: line.rejected, fill: "bg-warn" },
  ];
  return all.filter(({ count }) => count > 0);
}
