import type { Tone } from "@/components/ui/badge";
import { isHardlyTaken } from "@/lib/feeds/rules";
import type { Feed, ImportLine, ImportState } from "@/lib/feeds/schema";

// What the pages of feeds say, in words a merchant uses.

export const kindWords: Record<ImportLine["kind"], string> = {
  products: "Products",
  orders: "Orders",
  reviews: "Reviews",
  externals: "Totals of other sites",
};

/** What the report of an import is called. */
export const importWords: Record<ImportLine["kind"], string> = {
  products: "Import of products",
  orders: "Import of orders",
  reviews: "Import of reviews",
  externals: "Import of totals of other sites",
};

export const scheduleWords: Record<string, string> = {
  hourly: "every hour",
  every_6_hours: "every 6 hours",
  daily: "once a day",
  weekly: "once a week",
};

export const stateWords: Record<ImportState, { word: string; tone: Tone }> = {
  queued: { word: "Waiting§import", tone: "plain" },
  running: { word: "Under way", tone: "accent" },
  following: { word: "Finishing", tone: "accent" },
  done: { word: "Done§import", tone: "good" },
  refused: { word: "Not imported", tone: "warn" },
  failed: { word: "Failed", tone: "bad" },
};

/** How an import stands, by its state and what was left out of it. */
export const importState = (line: Pick<ImportLine, "status" | "read" | "rejected">): { word: string; tone: Tone } =>
  line.status === "done" && isHardlyTaken({ last_read: line.read, last_rejected: line.rejected })
    ? feedStates.hardly
    : stateWords[line.status];

export const feedStates = {
  fetching: { word: "Fetching", tone: "accent" },
  failed: { word: "Failed", tone: "bad" },
  refused: { word: "Not imported", tone: "warn" },
  hardly: { word: "Mostly left out", tone: "warn" },
  paused: { word: "Paused", tone: "plain" },
  fresh: { word: "New§feed", tone: "plain" },
  current: { word: "Up to date", tone: "good" },
} satisfies Record<string, { word: string; tone: Tone }>;

/** Where a feed stands, by its setting and its last run. */
export function feedState(feed: Feed): { word: string; tone: Tone } {
  if (feed.under_way) return feedStates.fetching;
  if (feed.last_outcome === "failed" || feed.last_outcome === "refused") return feedStates[feed.last_outcome];
  if (isHardlyTaken(feed)) return feedStates.hardly;
  if (!feed.enabled) return feedStates.paused;
  return feed.last_outcome === null ? feedStates.fresh : feedStates.current;
}

export const isUnderWay = ({ status }: Pick<ImportLine, "status">): boolean =>
  status === "queued" || status === "running" || status === "following";

/** What an import did, as the parts of its rows: those that are none are left out. */
export function shares(line: Pick<ImportLine, "created" | "updated" | "unchanged" | "rejected">) {
  return [
    { name: "{n} new|{n} new", count: line.created, fill: "bg-good" },
    { name: "{n} changed|{n} changed", count: line.updated, fill: "bg-accent" },
    { name: "{n} unchanged|{n} unchanged", count: line.unchanged, fill: "bg-edge" },
    { name: "{n} left out|{n} left out", count: line.rejected, fill: "bg-warn" },
  ].filter(({ count }) => count > 0);
}
