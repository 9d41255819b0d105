import { describe, expect, it } from "vitest";
import { type ClosedOrder, groupByReturns, groupByValue } from "@/lib/honesty/bias/closed-orders";
import { ALARM_BELOW, continueFinding, FALSE_ALARMS_A_YEAR } from "@/lib/honesty/bias/find-bias";
import { DAY, powerOf, randomFrom, START } from "@/lib/honesty/bias/fixtures/shops";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const order = (value: number | null, asked = true): ClosedOrder => ({ value, returned: null, asked });
const valued = (...values: number[]) => groupByValue(values.map((value) => order(value)));
const sizes = ({ low, high }: ReturnType<typeof groupByValue>) => [low.reviews, high.reviews];

describe("orders by value", () => {
  it("are the least and the most valuable quarter", () => {
    const orders = Array.from({ length: 80 }, (_, index) => order(80 - index, index < 20));
    expect(groupByValue(orders)).toEqual({
      low: { reviews: 20, count: 0, median: null },
      high: { reviews: 20, count: 20, median: null },
    });
  });

  it("with equal values are on the same side, or on none", () => {
    expect(sizes(valued(5, 5, 5, 5, 5, 6, 7, 8))).toEqual([5, 2]);
    expect(sizes(valued(1, 2, 3, 4, 4, 4, 4, 4))).toEqual([2, 5]);
    expect(sizes(valued(1, 5, 5, 5, 5, 5, 5, 9))).toEqual([0, 0]);
    expect(sizes(valued(0, 0, 0, 0))).toEqual([0, 0]);
    expect(sizes(groupByValue([]))).toEqual([0, 0]);
  });

  it("without a value don't take part", () => {
    const orders = [order(null, false), order(1), order(2), order(null), order(3), order(4, false)];
    expect(groupByValue(orders)).toMatchObject({ low: { reviews: 1, count: 1 }, high: { reviews: 1, count: 0 } });
  });
});

it("compares orders of which something was returned, if returns are known", () => {
  const orders = [true, true, false, null].map((returned, index) => ({ value: null, returned, asked: index > 0 }));
  expect(groupByReturns(orders)).toMatchObject({ low: { reviews: 2, count: 1 }, high: { reviews: 1, count: 1 } });
});

/** How often customers are invited: those with the least value, the most, a return, none. */
type Habits = { cheap: number; dear: number; returned: number; kept: number };

/** Customers' orders: an amount with a long tail, one in ten returned. Of the value only the quarters matter. */
function ordersOf(random: () => number, count: number, habits: Habits, share = 0.1): ClosedOrder[] {
  return Array.from({ length: count }, (): ClosedOrder => {
    const [place, returned] = [random(), random() < share];
    const byValue = place < 0.5 ? habits.cheap : habits.dear;
    return {
      value: Math.round(2_000 / (1.02 - place)) / 100,
      returned,
      asked: random() < byValue * (returned ? habits.returned : habits.kept),
    };
  });
}

const groupings = { invited_value: groupByValue, invited_returns: groupByReturns };
type Question = keyof typeof groupings;
const isFound = (question: Question, orders: ClosedOrder[], look: number) =>
  continueFinding(question, groupings[question](orders), [], look).length > 0;

it("gives fewer than one in a hundred shops that invite alike an alarm in a year", () => {
  const shops = propertyRuns(1_000);
  const random = randomFrom(20_261_130);
  let alarms = 0;
  for (let shop = 0; shop < shops; shop += 1) {
    const share = random();
    const habits = { cheap: share, dear: share, returned: 1, kept: 1 };
    // A year and the 180 days before, in the order of their days.
    const orders = ordersOf(random, 100 + Math.floor(random() ** 2 * 1_500), habits, 0.02 + random() * 0.3);
    const at = (day: number) => Math.floor((orders.length * day) / (371 + 180));
    const errs = Array.from({ length: 53 }, (_, week) => week).some((week) => {
      const recent = orders.slice(at(week * 7), at(week * 7 + 180));
      const look = START + week * 7 * DAY;
      return isFound("invited_value", recent, look) || isFound("invited_returns", recent, look);
    });
    if (errs) alarms += 1;
  }
  expect(alarms).toBeLessThanOrEqual(shops * FALSE_ALARMS_A_YEAR);
});

describe("finds shops that invite unequally", () => {
  // The table of the README.
  it.each([
    { low: 0.5, high: 0.9, byValue: 320, byReturns: 360 },
    { low: 0.6, high: 0.9, byValue: 500, byReturns: 600 },
    { low: 0.7, high: 0.9, byValue: 960, byReturns: 1_200 },
  ])(
    "$low instead of $high: $byValue customers by value, $byReturns by returns",
    ({ low, high, byValue, byReturns }) => {
      const test = { below: ALARM_BELOW, minDifference: 0.1 };
      const side = (reviews: number, share: number) => ({ reviews, share });
      expect(powerOf(side(byValue / 4, low), side(byValue / 4, high), test)).toBeGreaterThanOrEqual(0.9);
      expect(powerOf(side(byReturns / 10, low), side(byReturns * 0.9, high), test)).toBeGreaterThanOrEqual(0.9);

      const shops = propertyRuns(200);
      const random = randomFrom(byValue);
      const found = (question: Question, count: number, habits: Habits) =>
        Array.from({ length: shops }, () => isFound(question, ordersOf(random, count, habits), START)).filter(Boolean)
          .length / shops;
      // Chance, with three standard deviations, also in how many are returned.
      const promised = 0.88 - 3 * Math.sqrt((0.9 * 0.1) / shops);
      expect(found("invited_value", byValue, { cheap: low, dear: high, returned: 1, kept: 1 })).toBeGreaterThan(
        promised,
      );
      expect(found("invited_returns", byReturns, { cheap: 1, dear: 1, returned: low, kept: high })).toBeGreaterThan(
        promised,
      );
    },
  );
});
