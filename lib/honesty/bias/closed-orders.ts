import { type BiasFinding, type Groups, remainsByWeek } from "@/lib/honesty/bias/find-bias";

/**
 * Whether the store let the item of an order be asked about that was delivered first (`asked`), or any item (`anyAsked`).
 * `week`: the Monday of the week of its first delivery.
 */
export type Outcome = { asked: boolean; anyAsked: boolean; week: string };

/**
 * `value`: null if it isn't known, or something was returned; `returned`: null if another order of the person says it.
 */
export type ClosedOrder = Outcome & { value: number | null; returned: boolean | null };

/** The orders that are compared with each other. */
export type Sides = { low: readonly Outcome[]; high: readonly Outcome[] };

/**
 * The least valuable quarter of orders (`low`) and the most valuable one: of all shares, nearly the one that finds a
 * trend with the fewest orders. Equal values are on the same side, or on none, so a side can have more than a quarter.
 * Without a difference between the quarters, both are empty.
 */
export function splitByValue(orders: readonly ClosedOrder[]): Sides {
  const valued = orders.filter((order): order is ClosedOrder & { value: number } => order.value !== null);
  const values = Float64Array.from(valued, ({ value }) => value).sort();
  const quarter = Math.ceil(values.length / 4);
  const [least = 0, most = 0] = [values[quarter - 1], values[values.length - quarter]];
  const sides = least < most ? valued : [];
  return { low: sides.filter(({ value }) => value <= least), high: sides.filter(({ value }) => value >= most) };
}

/** Orders of which something was returned (`low`), and those of which nothing was. */
export const splitByReturns = (orders: readonly ClosedOrder[]): Sides => ({
  low: orders.filter(({ returned }) => returned === true),
  high: orders.filter(({ returned }) => returned === false),
});

/** How many orders both sides have, and how many of them were invited, by the first item or by any. */
export function countAsked({ low, high }: Sides, by: "asked" | "anyAsked" = "asked"): Groups {
  const count = (orders: readonly Outcome[]) => ({
    reviews: orders.length,
    count: orders.filter((order) => order[by]).length,
    median: null,
  });
  return { low: count(low), high: count(high) };
}

/**
 * Whether a finding remains if orders are only compared with those of the same week, by the item that was delivered first, and
 * by any. Each alone leans: by the first, an order with a gift that is excluded can look excluded, and by any, orders with
 * several items look less excluded.
 */
export function remains(finding: BiasFinding, { low, high }: Sides): boolean {
  const weeks = new Set([...low, ...high].map(({ week }) => week));
  const within = (by: "asked" | "anyAsked") =>
    [...weeks].map((week) => {
      const of = (orders: readonly Outcome[]) => orders.filter((order) => order.week === week);
      return countAsked({ low: of(low), high: of(high) }, by);
    });
  return remainsByWeek(finding, within("asked")) && remainsByWeek(finding, within("anyAsked"));
}
