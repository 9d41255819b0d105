import { describe, expect, it } from "vitest";
import { OrderInput } from "@/lib/orders/schema";
import { findOrderChanges, isOldFormat } from "./order-changes";

const order = (...items: [id: string, day: string | null, name?: string][]) =>
  OrderInput.parse({
    order: {
      id: "o-1",
      customer: { id: "c-1" },
      items: items.map(([id, delivery_date, name]) => ({ id, delivery_date, ...(name && { name }) })),
    },
  }).order;
const known = (fingerprint: string | null, days: [string, string][] = []) => ({ fingerprint, days: new Map(days) });
const deliveryDatesOf = (changes: ReturnType<typeof findOrderChanges>) =>
  changes?.order.items.map(({ id, delivery_date }) => [id, delivery_date]);

it("returns a new order in full, then only its changes, then nothing", () => {
  const first = findOrderChanges(order(["a", "2026-01-05"], ["b", null]));
  expect(deliveryDatesOf(first)).toEqual([
    ["a", "2026-01-05"],
    ["b", null],
  ]);
  const before = known(first?.fingerprint ?? null);
  expect(findOrderChanges(order(["a", "2026-01-05"], ["b", null]), before)).toBeNull();
  expect(deliveryDatesOf(findOrderChanges(order(["a", "2026-01-05", "Lamp"], ["b", "2026-01-09"]), before))).toEqual([
    ["a", undefined],
    ["b", "2026-01-09"],
  ]);
});

it("imports a return, but not again that there is none", () => {
  const withReturn = (returned: boolean | null, name?: string) => {
    const one = order(["a", "2026-01-05", name]);
    return {
      ...one,
      value: 9,
      items: one.items.map((item) => ({ ...item, returned })),
    };
  };
  const first = findOrderChanges(withReturn(false));
  expect(first?.order).toMatchObject({ value: 9, items: [{ returned: false }] });
  const before = known(first?.fingerprint ?? null);
  expect(findOrderChanges(withReturn(false), before)).toBeNull();
  expect(findOrderChanges(withReturn(false, "Lamp"), before)?.order.items[0]).not.toHaveProperty("returned");
  expect(findOrderChanges(withReturn(true), before)?.order.items).toMatchObject([{ id: "a", returned: true }]);
  // Refunded as a whole: it isn't known any more that it was kept.
  const unknown = findOrderChanges(withReturn(null), before);
  expect(unknown?.order.items).toMatchObject([{ id: "a", returned: null }]);
  expect(findOrderChanges(withReturn(null), known(unknown?.fingerprint ?? null))).toBeNull();
  // A return that was known stays, though it can't be read any more.
  const returned = known(findOrderChanges(withReturn(true), before)?.fingerprint ?? null);
  expect(findOrderChanges(withReturn(null), returned)).toBeNull();
  expect(findOrderChanges(withReturn(null, "Lamp"), returned)?.order.items).toMatchObject([{ returned: null }]);
  // Of earlier versions.
  const earlier = known(findOrderChanges(order(["a", "2026-01-05"]))?.fingerprint ?? null);
  expect(findOrderChanges(withReturn(false), earlier)).toBeNull();
});

it("keeps the first estimated delivery date, and uses known dates", () => {
  const guessed = { guessed: new Set(["a"]) };
  const first = findOrderChanges(order(["a", null], ["b", null]), undefined, guessed);
  const next = findOrderChanges(
    order(["a", "2026-01-05"], ["b", "2026-01-05"]),
    known(first?.fingerprint ?? null),
    guessed,
  );
  expect(deliveryDatesOf(next)).toEqual([
    ["a", "2026-01-05"],
    ["b", "2026-01-05"],
  ]);
  const before = known(next?.fingerprint ?? null);
  const later = order(["a", "2026-02-01", "Lamp"], ["b", "2026-02-01"]);
  expect(deliveryDatesOf(findOrderChanges(later, before, guessed))).toEqual([
    ["a", undefined],
    ["b", "2026-02-01"],
  ]);
  expect(deliveryDatesOf(findOrderChanges(later, before))).toEqual([
    ["a", "2026-02-01"],
    ["b", "2026-02-01"],
  ]);
  const old = known("xM8Zq5", [["a", "2026-01-05"]]);
  expect(deliveryDatesOf(findOrderChanges(later, old, guessed))?.[0]).toEqual(["a", undefined]);
});

it("replaces an assumed date by the first estimate, but not a known date", () => {
  const [assumed, guessed] = [{ assumed: new Set(["a"]) }, { guessed: new Set(["a", "b"]) }];
  const first = findOrderChanges(order(["a", "2026-01-09"], ["b", "2026-01-05"]), undefined, assumed);
  const before = known(first?.fingerprint ?? null);
  expect(isOldFormat(before.fingerprint)).toBe(false);
  expect(findOrderChanges(order(["a", "2026-01-09"], ["b", "2026-01-05"]), before, assumed)).toBeNull();
  // Without the setting, its dates are gone, and it's unknown where the date of `b` came from.
  const next = findOrderChanges(order(["a", "2026-01-20"], ["b", "2026-01-20"]), before, guessed);
  expect(deliveryDatesOf(next)).toEqual([["a", "2026-01-20"]]);
  const then = known(next?.fingerprint ?? null);
  expect(findOrderChanges(order(["a", "2026-02-20"], ["b", "2026-02-20"]), then, guessed)).toBeNull();
  // The setting is enabled again with another number of days.
  const last = findOrderChanges(order(["a", "2026-01-12"], ["b", "2026-01-05"]), then, assumed);
  expect(deliveryDatesOf(last)).toEqual([["a", "2026-01-12"]]);
});

it.each([
  ["guessed", { guessed: new Set(["a"]) }],
  ["known", {}],
])(
  "records a date that is %s and equals the assumed one without changing the item, and ignores later estimates",
  (_, unsure) => {
    const assumed = { assumed: new Set(["a"]) };
    const first = known(findOrderChanges(order(["a", "2026-01-09"]), undefined, assumed)?.fingerprint ?? null);
    const same = findOrderChanges(order(["a", "2026-01-09"]), first, unsure);
    expect(deliveryDatesOf(same)).toEqual([]);
    const before = known(same?.fingerprint ?? null);
    expect(findOrderChanges(order(["a", "2026-01-09"]), before, unsure)).toBeNull();
    expect(findOrderChanges(order(["a", "2026-02-20"]), before, { guessed: new Set(["a"]) })).toBeNull();
    expect(deliveryDatesOf(findOrderChanges(order(["a", "2026-01-12"]), before))).toEqual([["a", "2026-01-12"]]);
  },
);

describe("a fingerprint of an earlier version", () => {
  // A hash of the whole order, and one of each item.
  it.each(["xM8Zq5", JSON.stringify({ head: "x", items: { a: "y" } })])(
    "keeps dates that are later in the database: %s",
    (old) => {
      expect(isOldFormat(old)).toBe(true);
      const currentOrder = order(
        ["moved", "2026-01-05"],
        ["same", "2026-01-05"],
        ["sent", "2026-01-09"],
        ["new", "2026-01-05"],
      );
      const before = known(old, [
        ["moved", "2026-03-01"],
        ["same", "2026-01-05"],
        ["sent", "2026-01-05"],
      ]);
      const changes = findOrderChanges(currentOrder, before);
      expect(deliveryDatesOf(changes)).toEqual([
        ["moved", undefined],
        ["same", undefined],
        ["sent", "2026-01-09"],
        ["new", "2026-01-05"],
      ]);
      expect(isOldFormat(changes?.fingerprint ?? null)).toBe(false);
      // From then on as usual.
      expect(findOrderChanges(currentOrder, known(changes?.fingerprint ?? null))).toBeNull();
    },
  );
});
