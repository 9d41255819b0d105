import { describe, expect, it } from "vitest";
import { OrderInput } from "@/lib/orders/schema";
import { isOutdated, newsOf } from "./told";

const order = (...items: [id: string, day: string | null, name?: string][]) =>
  OrderInput.parse({
    order: {
      id: "o-1",
      customer: { id: "c-1" },
      items: items.map(([id, delivery_date, name]) => ({ id, delivery_date, ...(name && { name }) })),
    },
  }).order;
const known = (fingerprint: string | null, days: [string, string][] = []) => ({ fingerprint, days: new Map(days) });
const said = (news: ReturnType<typeof newsOf>) => news?.order.items.map(({ id, delivery_date }) => [id, delivery_date]);

it("says all of an order that is new, then what changed of it, and nothing where nothing did", () => {
  const first = newsOf(order(["a", "2026-01-05"], ["b", null]));
  expect(said(first)).toEqual([
    ["a", "2026-01-05"],
    ["b", null],
  ]);
  const before = known(first?.fingerprint ?? null);
  expect(newsOf(order(["a", "2026-01-05"], ["b", null]), before)).toBeNull();
  expect(said(newsOf(order(["a", "2026-01-05", "Lamp"], ["b", "2026-01-09"]), before))).toEqual([
    ["a", undefined],
    ["b", "2026-01-09"],
  ]);
});

it("says the first of days that are guessed, and any that is not", () => {
  const guessed = { guessed: new Set(["a"]) };
  const first = newsOf(order(["a", null], ["b", null]), undefined, guessed);
  const next = newsOf(order(["a", "2026-01-05"], ["b", "2026-01-05"]), known(first?.fingerprint ?? null), guessed);
  expect(said(next)).toEqual([
    ["a", "2026-01-05"],
    ["b", "2026-01-05"],
  ]);
  const before = known(next?.fingerprint ?? null);
  const later = order(["a", "2026-02-01", "Lamp"], ["b", "2026-02-01"]);
  expect(said(newsOf(later, before, guessed))).toEqual([
    ["a", undefined],
    ["b", "2026-02-01"],
  ]);
  expect(said(newsOf(later, before))).toEqual([
    ["a", "2026-02-01"],
    ["b", "2026-02-01"],
  ]);
  const old = known("xM8Zq5", [["a", "2026-01-05"]]);
  expect(said(newsOf(later, old, guessed))?.[0]).toEqual(["a", undefined]);
});

it("takes the first guess in place of what a setting assumed, and not in place of what was known", () => {
  const [assumed, guessed] = [{ assumed: new Set(["a"]) }, { guessed: new Set(["a", "b"]) }];
  const first = newsOf(order(["a", "2026-01-09"], ["b", "2026-01-05"]), undefined, assumed);
  const before = known(first?.fingerprint ?? null);
  expect(isOutdated(before.fingerprint)).toBe(false);
  expect(newsOf(order(["a", "2026-01-09"], ["b", "2026-01-05"]), before, assumed)).toBeNull();
  // The setting is gone, and with it what it told; how `b` was known cannot be read any more.
  const next = newsOf(order(["a", "2026-01-20"], ["b", "2026-01-20"]), before, guessed);
  expect(said(next)).toEqual([["a", "2026-01-20"]]);
  const then = known(next?.fingerprint ?? null);
  expect(newsOf(order(["a", "2026-02-20"], ["b", "2026-02-20"]), then, guessed)).toBeNull();
  // It comes back with another number of days.
  const last = newsOf(order(["a", "2026-01-12"], ["b", "2026-01-05"]), then, assumed);
  expect(said(last)).toEqual([["a", "2026-01-12"]]);
});

it.each([
  ["guessed", { guessed: new Set(["a"]) }],
  ["known", {}],
])("notes a day that is %s and the same as was assumed, says no item for it, and takes no later guess", (_, unsure) => {
  const assumed = { assumed: new Set(["a"]) };
  const first = known(newsOf(order(["a", "2026-01-09"]), undefined, assumed)?.fingerprint ?? null);
  const same = newsOf(order(["a", "2026-01-09"]), first, unsure);
  expect(said(same)).toEqual([]);
  const before = known(same?.fingerprint ?? null);
  expect(newsOf(order(["a", "2026-01-09"]), before, unsure)).toBeNull();
  expect(newsOf(order(["a", "2026-02-20"]), before, { guessed: new Set(["a"]) })).toBeNull();
  expect(said(newsOf(order(["a", "2026-01-12"]), before))).toEqual([["a", "2026-01-12"]]);
});

describe("what an earlier version kept of an order", () => {
  // A hash of the whole order, and one of each item.
  it.each(["xM8Zq5", JSON.stringify({ head: "x", items: { a: "y" } })])(
    "leaves days that are later here: %s",
    (old) => {
      expect(isOutdated(old)).toBe(true);
      const told = order(
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
      const news = newsOf(told, before);
      expect(said(news)).toEqual([
        ["moved", undefined],
        ["same", undefined],
        ["sent", "2026-01-09"],
        ["new", "2026-01-05"],
      ]);
      expect(isOutdated(news?.fingerprint ?? null)).toBe(false);
      // From then on as ever.
      expect(newsOf(told, known(news?.fingerprint ?? null))).toBeNull();
    },
  );
});
