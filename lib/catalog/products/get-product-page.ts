import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { Product } from "@/lib/catalog/products/schema";
import { externalTotals } from "@/lib/catalog/summaries/external-totals";
import { noExternal, statistics } from "@/lib/catalog/summaries/rules";
import type { Statistics } from "@/lib/catalog/summaries/schema";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import {
  type CounterRow,
  MAX_MONTH_REVIEWS,
  type MonthRow,
  selectCounters,
  selectMonths,
  selectProduct,
  selectTotals,
  selectVariants,
  type TotalRow,
  type VariantRow,
} from "./portal-sql";

/** Number of months in the chart. */
const MONTHS = 24;
const MAX_VARIANTS = 50;
const MAX_TOTALS = 100;

export type ProductPage = {
  product: Product;
  /** Own reviews combined with external ratings, as the API returns them; `family` is the same for the family. */
  own: Statistics;
  family: Statistics;
  variants: VariantRow[];
  /** True if the family has more variants than `variants` lists. */
  moreVariants: boolean;
  totals: TotalRow[];
  /** Each month of the last two years, oldest first, including months without reviews. */
  months: { month: string; count: number; average: number | null }[];
  /** First day counted in `months` if there are more reviews than are counted; otherwise null. */
  since: string | null;
};

const counts = ({ count, sum, dist }: CounterRow) => ({
  count,
  sum,
  dist: dist as [number, number, number, number, number],
});

/** A product with its family, the counters of both, and its reviews per month. Throws `not_found`. */
export async function getProductPage(client: ClientRow, id: string): Promise<ProductPage> {
  const row = await selectProduct(pool(), client.id, id);
  if (!row) throw new AppError("not_found", { reason: "product_not_found" });
  const today = dayIn(timeZoneOf(client));
  const months = lastMonths(today.slice(0, 7), MONTHS);
  const [counted, variants, totals, byMonth, ownExternal, familyExternal] = await Promise.all([
    selectCounters(pool(), client.id, id, row.family_id),
    selectVariants(pool(), client.id, row.family_id, MAX_VARIANTS + 1),
    selectTotals(pool(), client.id, id, MAX_TOTALS),
    selectMonths(pool(), client.id, id, `${months[0]}-01`),
    externalTotals(pool(), client, [id], "product"),
    externalTotals(pool(), client, [row.family_id], "family"),
  ]);
  return {
    product: { ...row, created_at: toIsoSeconds(row.created_at), updated_at: toIsoSeconds(row.updated_at) },
    own: statistics(counts(counted.product), ownExternal.get(id) ?? noExternal),
    family: statistics(counts(counted.family), familyExternal.get(row.family_id) ?? noExternal),
    variants: variants.slice(0, MAX_VARIANTS),
    moreVariants: variants.length > MAX_VARIANTS,
    totals,
    months: fillMonths(months, byMonth),
    since: byMonth.reduce((sum, { count }) => sum + count, 0) < MAX_MONTH_REVIEWS ? null : (byMonth[0]?.oldest ?? null),
  };
}

/** `month` (as `2026-11`) and the months before it, oldest first. */
export function lastMonths(month: string, count: number): string[] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return Array.from({ length: count }, (_, index) => {
    const at = year * 12 + number - 1 - (count - 1 - index);
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`;
  });
}

function fillMonths(months: string[], rows: MonthRow[]): ProductPage["months"] {
  const found = new Map(rows.map((row) => [row.month, row]));
  return months.map((month) => {
    const { count, sum } = found.get(month) ?? { count: 0, sum: 0 };
    return { month, count, average: count === 0 ? null : Math.round((sum * 100) / count) / 100 };
  });
}
