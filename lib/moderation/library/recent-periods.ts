import { lastMonths } from "@/lib/catalog/products/get-product-page";
import { addDays, type Day } from "@/lib/invitations/days";

/** Days that a list can be filtered by at once: the last so many, or those of a month. */
export type RecentPeriod = { from: Day; to: Day } & ({ days: number } | { month: string });

/** The last 7, 30 and 90 days, the current month, and the twelve before, newest first. */
export function recentPeriods(today: Day): RecentPeriod[] {
  const months = lastMonths(today.slice(0, 7), 13).reverse();
  return [
    ...[7, 30, 90].map((days) => ({ days, from: addDays(today, 1 - days), to: today })),
    ...months.map((month) => ({ month, from: `${month}-01`, to: lastDayOf(month) })),
  ];
}

function lastDayOf(month: string): Day {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
