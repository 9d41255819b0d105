import type { Tone } from "@/components/ui/badge";
import type { Feed, ImportLine, ImportState } from "@/lib/feeds/schema";

// What the pages of feeds say, in words a merchant uses.

export const kindWords: Record<ImportLine["kind"], string> = {
  products: "Products",
  orders: "Orders",
  reviews: "Reviews",
  externals: "Totals of other sites",
};

export const scheduleWords: Record<string, string> = {
  hourly: "every hour",
  every_6_hours: "every 6 hours",
  daily: "once a day",
  weekly: "once a week",
};

export const stateWords: Record<ImportState, { word: string; tone: Tone }> = {
  queued: { word: "Waiting", tone: "plain" },
  running: { word: "Under way", tone: "accent" },
  following: { word: "Finishing", tone: "accent" },
  done: { word: "Done", tone: "good" },
  refused: { word: "Not imported", tone: "warn" },
  failed: { word: "Failed", tone: "bad" },
};

/** Where a feed stands, by its setting and its last run. */
export function feedState(feed: Feed): { word: string; tone: Tone } {
  if (feed.under_way) return { word: "Fetching", tone: "accent" };
  if (feed.last_outcome === "failed") return { word: "Failed", tone: "bad" };
  if (feed.last_outcome === "refused") return { word: "Not imported", tone: "warn" };
  if (!feed.enabled) return { word: "Paused", tone: "plain" };
  return feed.last_outcome === null ? { word: "New", tone: "plain" } : { word: "Up to date", tone: "good" };
}

export const isUnderWay = ({ status }: Pick<ImportLine, "status">): boolean =>
  status === "queued" || status === "running" || status === "following";

export const numberWords = (count: number): string => count.toLocaleString("en-GB");

/** What an import did, as the parts of its rows: those that are none are left out. */
export function shares(line: Pick<ImportLine, "created" | "updated" | "unchanged" | "rejected">) {
  return [
    { name: "new", count: line.created, fill: "bg-good" },
    { name: "changed", count: line.updated, fill: "bg-accent" },
    { name: "unchanged", count: line.unchanged, fill: "bg-edge" },
    { name: "left out", count: line.rejected, fill: "bg-warn" },
  ].filter(({ count }) => count > 0);
}

const reasons: Record<string, string> = {
  doubled: "Comes again further down; the last row counts",
  id_missing: "Has no id",
  id_too_long: "Its id is longer than 255 characters",
  name_missing: "Has no name, and the catalogue does not know it",
  order_id_missing: "Has no order id",
  customer_id_missing: "Has neither a customer id nor an address",
  opt_out_invalid: "Its opt-out is neither yes nor no",
  delivery_date_invalid: "Its delivery date is no date",
  reviewable_invalid: "Its “reviewable” is neither yes nor no",
  truncated: "The file ends in the middle of it",
  too_long: "Is longer than a row may be",
  unreadable: "Cannot be read",
  not_an_object: "Is no object",
};

/** Why a row was left out. What is not known here is shown as the report names it, as words. */
export const reasonWords = (reason: string): string =>
  reasons[reason] ??
  (/^[a-z]+(_[a-z]+)*$/.test(reason)
    ? `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll("_", " ")}`
    : reason);

const faults: Record<string, string> = {
  not_an_address: "is no address on the web",
  not_a_gtin: "is no GTIN: its length or check digit is wrong",
  too_long: "is too long",
};

export const faultWords = (reason: string): string => faults[reason] ?? reason.replaceAll("_", " ");
