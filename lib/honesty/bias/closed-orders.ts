import type { Groups } from "@/lib/honesty/bias/find-bias";

/**
 * An order that was invited (`asked`) or excluded by the store. `value`: null if it isn't known, or something was
 * returned; `returned`: null if another order of the person says it.
 */
export type ClosedOrder = { value: number | null; returned: boolean | null; asked: boolean };

/**
 * The least valuable quarter of orders (`low`) and the most valuable one: of all shares, nearly the one that finds a
 * trend with the fewest orders. Equal values are on the same side, or on none, so a side can have more than a quarter.
 * Without a difference between the quarters, both are empty.
 */
export function groupByValue(orders: readonly ClosedOrder[]): Groups {
  const valued = orders.filter((order): order is ClosedOrder & { value: number } => order.value !== null);
  const values = Float64Array.from(valued, ({ value }) => value).sort();
  const quarter = Math.ceil(values.length / 4);
  const [least = 0, most = 0] = [values[quarter - 1], values[values.length - quarter]];
  const sides = least < most ? valued : [];
  return {
    low: countAsked(sides.filter(({ value }) => value <= least)),
    high: countAsked(sides.filter(({ value }) => value >= most)),
  };
}

/** Orders of which something was returned (`low`), and those of which nothing was. */
export const groupByReturns = (orders: readonly ClosedOrder[]): Groups => ({
  low: countAsked(orders.filter(({ returned }) => returned === true)),
  high: countAsked(orders.filter(({ returned }) => returned === false)),
});

const countAsked = (orders: readonly ClosedOrder[]) => ({
  reviews: orders.length,
  count: orders.filter(({ asked }) => asked).length,
  median: null,
});
