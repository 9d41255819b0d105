import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays, type Day } from "@/lib/invitations/days";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { escapeFormula } from "@/lib/platform/parsing/csv-cells";
import {
  type FunnelScope,
  type ProductCounts,
  type StageCounts,
  selectFunnelDays,
  selectFunnelProducts,
} from "./funnel-sql";

/** Counts are null, not 0, if the client gets no reports of that kind (emails only stored, SMTP, no open tracking). */
export type FunnelCounts = Omit<StageCounts, "delivered" | "bounced" | "untold" | "opened" | "clicked"> & {
  delivered: number | null;
  bounced: number | null;
  untold: number | null;
  opened: number | null;
  clicked: number | null;
};

export type Funnel = FunnelScope & {
  total: FunnelCounts;
  days: (FunnelCounts & { day: Day })[];
  /** the products with the most emails, a hundred at most */
  products: (FunnelCounts & Pick<ProductCounts, "product_id" | "name">)[];
};

const MAX_PRODUCTS = 100;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 731;
/** There is no year 0, and days before it have another format. */
const FIRST_DAY = "0001-01-01";

/**
 * Returns how far the invitation emails of a period got, including reminders: from planned to reviewed, by day and by
 * product. An email belongs to the day whose limit it counted for, whenever its later stages happened. Opens by bots
 * don't count. Defaults to the last 30 days; covers two years at most.
 */
export async function getFunnel(
  client: ClientRow,
  query: { from?: Day | undefined; to?: Day | undefined; product?: string | undefined },
): Promise<Funnel> {
  const to = query.to ?? dayIn(timeZoneOf(client));
  const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS);
  const scope = {
    from: [from, addDays(to, -MAX_DAYS), FIRST_DAY].sort().at(-1) as Day,
    to,
    product: query.product || null,
  };
  const [days, products] = await Promise.all([
    selectFunnelDays(pool(), client.id, scope),
    selectFunnelProducts(pool(), client.id, scope, MAX_PRODUCTS),
  ]);
  const total = days.reduce<StageCounts>((sum, day) => addCounts(sum, day), zeroCounts);
  const nullUnknown = nullUnknownCounts(total);
  return {
    ...scope,
    total: nullUnknown(total),
    days: days.map(nullUnknown),
    products: products.map(nullUnknown),
  };
}

const zeroCounts: StageCounts = {
  planned: 0,
  sent: 0,
  failed: 0,
  waiting: 0,
  delivered: 0,
  bounced: 0,
  untold: 0,
  opened: 0,
  clicked: 0,
  reviewed: 0,
};

const addCounts = (a: StageCounts, b: StageCounts): StageCounts =>
  Object.fromEntries(
    Object.keys(zeroCounts).map((key) => [key, a[key as keyof StageCounts] + b[key as keyof StageCounts]]),
  ) as StageCounts;

/** Sets counts without any report to null. The mail service reports a kind of event for all emails or none. */
function nullUnknownCounts(
  total: StageCounts,
): <C extends StageCounts>(counts: C) => Omit<C, keyof StageCounts> & FunnelCounts {
  const delivery = total.delivered + total.bounced > 0;
  const opening = total.opened > 0;
  const clicking = total.clicked > 0;
  return (counts) => ({
    ...counts,
    delivered: delivery ? counts.delivered : null,
    bounced: delivery ? counts.bounced : null,
    untold: delivery ? counts.untold : null,
    opened: opening ? counts.opened : null,
    clicked: clicking ? counts.clicked : null,
  });
}

const stages = [
  "planned",
  "sent",
  "failed",
  "waiting",
  "delivered",
  "bounced",
  "untold",
  "opened",
  "clicked",
  "reviewed",
] as const satisfies (keyof FunnelCounts)[];

/** The funnel as CSV, by day or by product. Unknown counts are empty; no cell can be read as a formula. */
export function funnelCsv(funnel: Funnel, by: "day" | "product"): string {
  const numbers = (counts: FunnelCounts) => stages.map((stage) => String(counts[stage] ?? ""));
  const lines =
    by === "day"
      ? [["day", ...stages], ...funnel.days.map((row) => [row.day, ...numbers(row)])]
      : [
          ["product_id", "name", ...stages],
          ...funnel.products.map((row) => [row.product_id, row.name ?? "", ...numbers(row)]),
        ];
  return `${lines.map((line) => line.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

const csvCell = (value: string): string => {
  const safe = escapeFormula(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
