import { describe, expect, it } from "vitest";
import { type ClosedOrder, countAsked, remains, splitByReturns, splitByValue } from "@/lib/honesty/bias/closed-orders";
import {
  ALARM_BELOW,
  continueFinding,
  FALSE_ALARMS_A_YEAR,
  remainsByWeek,
  WINDOW_DAYS,
} from "@/lib/honesty/bias/find-bias";
import { DAY, powerOf, randomFrom, START } from "@/lib/honesty/bias/fixtures/shops";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const order = (value: number | null, asked = true): ClosedOrder => ({
  value,
  returned: null,
  asked,
  anyAsked: asked,
  week: "2026-11-23",
});
const countByValue = (orders: ClosedOrder[]) => countAsked(splitByValue(orders));
const valued = (...values: number[]) => countByValue(values.map((value) => order(value)));
const sizes = ({ low, high }: ReturnType<typeof countAsked>) => [low.reviews, high.reviews];

describe("orders by value", () => {
  it("are the least and the most valuable quarter", () => {
    const orders = Array.from({ length: 80 }, (_, index) => order(80 - index, index < 20));
    expect(countByValue(orders)).toEqual({
      low: { reviews: 20, count: 0, median: null },
      high: { reviews: 20, count: 20, median: null },
    });
  });

  it("with equal values are on the same side, or on none", () => {
    expect(sizes(valued(5, 5, 5, 5, 5, 6, 7, 8))).toEqual([5, 2]);
    expect(sizes(valued(1, 2, 3, 4, 4, 4, 4, 4))).toEqual([2, 5]);
    expect(sizes(valued(1, 5, 5, 5, 5, 5, 5, 9))).toEqual([0, 0]);
    expect(sizes(valued(0, 0, 0, 0))).toEqual([0, 0]);
    expect(sizes(valued())).toEqual([0, 0]);
  });

  it("without a value don't take part", () => {
    const orders = [order(null, false), order(1), order(2), order(null), order(3), order(4, false)];
    expect(countByValue(orders)).toMatchObject({ low: { reviews: 1, count: 1 }, high: { reviews: 1, count: 0 } });
  });
});

it("compares orders of which something was returned, if returns are known", () => {
  const orders = [true, true, false, null].map((returned, index) => ({ ...order(null, index > 0), returned }));
  expect(countAsked(splitByReturns(orders))).toMatchObject({
    low: { reviews: 2, count: 1 },
    high: { reviews: 1, count: 1 },
  });
});

const weekOf = (index: number) => new Date(START + index * 7 * DAY).toISOString().slice(0, 10);

/** How often customers are invited: those with the least value, the most, a return, none. */
type Habits = { cheap: number; dear: number; returned: number; kept: number };

/** Customers' orders: an amount with a long tail, one in ten returned. Of the value only the quarters matter. */
function ordersOf(random: () => number, count: number, habits: Habits, share = 0.1): ClosedOrder[] {
  return Array.from({ length: count }, (_, index): ClosedOrder => {
    const [place, returned] = [random(), random() < share];
    const byValue = place < 0.5 ? habits.cheap : habits.dear;
    const asked = random() < byValue * (returned ? habits.returned : habits.kept);
    return {
      value: Math.round(2_000 / (1.02 - place)) / 100,
      returned,
      asked,
      anyAsked: asked,
      week: weekOf(Math.floor((index * WINDOW_DAYS) / 7 / count)),
    };
  });
}

const splits = { invited_value: splitByValue, invited_returns: splitByReturns };
type Question = keyof typeof splits;
function isFound(question: Question, orders: ClosedOrder[], look: number): boolean {
  const sides = splits[question](orders);
  return continueFinding(question, countAsked(sides), [], look).some((finding) => remains(finding, sides));
}

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

describe("takes nothing for a difference between orders that a shop does", () => {
  /** How often a shop is found, by the first look alone and with the second. Expensive orders have three items, cheap ones one. */
  function shares(orderOf: (random: () => number, week: number) => ClosedOrder & { isCanceled?: boolean }) {
    const shops = propertyRuns(200);
    const random = randomFrom(20_261_201);
    const found = { first: 0, both: 0 };
    for (let shop = 0; shop < shops; shop += 1) {
      const orders = Array.from({ length: 1_500 }, (_, index) => orderOf(random, Math.floor(index / 60)));
      const sides = splitByValue(orders.filter(({ isCanceled }) => !isCanceled));
      const likely = continueFinding("invited_value", countAsked(sides), [], START);
      if (likely.length > 0) found.first += 1;
      if (likely.some((finding) => remains(finding, splitByValue(orders)))) found.both += 1;
    }
    return { first: found.first / shops, both: found.both / shops };
  }
  const orderIn = (week: number, isCheap: boolean, items: readonly boolean[]) => ({
    ...order(isCheap ? 1 : 2, items[0]),
    anyAsked: items.includes(true),
    week: weekOf(week),
  });
  const items = (random: () => number, isCheap: boolean, asked: number) =>
    Array.from({ length: isCheap ? 1 : 3 }, () => random() < asked);

  it("for some weeks, in which other orders come", () => {
    const { first, both } = shares((random, week) => {
      const isSale = week >= 10 && week < 16;
      const isCheap = random() < (isSale ? 0.8 : 0.2);
      return orderIn(week, isCheap, items(random, isCheap, isSale ? 0.3 : 0.8));
    });
    expect(first).toBeGreaterThan(0.8);
    expect(both).toBe(0);
  });

  it("some days after the order, when expensive ones haven't been delivered yet", () => {
    const { first, both } = shares((random, week) => {
      const isCheap = random() < 0.5;
      const asked = items(random, isCheap, 0.7);
      return { ...orderIn(week, isCheap, asked), isCanceled: !isCheap && !asked[0] };
    });
    expect(first).toBeGreaterThan(0.8);
    expect(both).toBe(0);
  });

  it("with gifts and warranties, of which expensive orders have more", () => {
    const { first, both } = shares((random, week) => {
      const isCheap = random() < 0.5;
      return orderIn(week, isCheap, isCheap ? [true] : [random() < 0.5, true, true]);
    });
    expect(first).toBeGreaterThan(0.8);
    expect(both).toBe(0);
  });
});

it("needs a difference of 20 points within the weeks, in the same direction, and p below the limit", () => {
  const sides = (...weeks: [low: number, ofLow: number, high: number, ofHigh: number][]) =>
    weeks.map(([low, ofLow, high, ofHigh]) => ({
      low: { reviews: ofLow, count: low, median: null },
      high: { reviews: ofHigh, count: high, median: null },
    }));
  const finding = {
    question: "invited",
    since: "2026-11-23T00:00:00Z",
    until: "2026-11-23T00:00:00Z",
    from: "2026-05-27T00:00:00Z",
    low: { reviews: 100, count: 10, median: null },
    high: { reviews: 100, count: 90, median: null },
    p: 0,
  } as const;
  const later = { ...finding, until: "2026-11-30T00:00:00Z" };
  const remains = (...weeks: Parameters<typeof sides>) => [
    remainsByWeek(finding, sides(...weeks)),
    remainsByWeek(later, sides(...weeks)),
  ];
  expect(remains([400, 500, 500, 500], [300, 500, 400, 500])).toEqual([true, true]);
  expect(remains([401, 500, 500, 500], [300, 500, 400, 500])).toEqual([false, false]);
  expect(remains([500, 500, 400, 500], [400, 500, 300, 500])).toEqual([false, false]);
  expect(remains([8, 20, 17, 20])).toEqual([false, true]);
  expect(remains([10, 20, 15, 20])).toEqual([false, false]);
  // The other way around.
  const high = { ...finding, low: finding.high, high: finding.low };
  expect(remainsByWeek(high, sides([500, 500, 400, 500], [400, 500, 300, 500]))).toBe(true);
  expect(remainsByWeek(high, sides([400, 500, 500, 500], [300, 500, 400, 500]))).toBe(false);
  // Of weeks with one side only, nothing is known.
  expect(remains([0, 500, 0, 0], [0, 0, 500, 500])).toEqual([false, false]);
});

describe("finds shops that invite unequally", () => {
  // The table of the README.
  it.each([
    { low: 0.4, high: 0.9, byValue: 280, byReturns: 320 },
    { low: 0.5, high: 0.9, byValue: 380, byReturns: 440 },
    { low: 0.6, high: 0.9, byValue: 600, byReturns: 720 },
  ])(
    "$low instead of $high: $byValue customers by value, $byReturns by returns",
    ({ low, high, byValue, byReturns }) => {
      const test = { below: ALARM_BELOW, minDifference: 0.2 };
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
