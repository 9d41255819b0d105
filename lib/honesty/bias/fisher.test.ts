import fc from "fast-check";
import { expect, it } from "vitest";
import { fisherExact, fisherOfTables, type Table } from "@/lib/honesty/bias/fisher";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const choose = (n: number, k: number): bigint => {
  let result = 1n;
  for (let i = 0; i < k; i += 1) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return result;
};

/** The same test in whole numbers, without rounding. */
function inWholeNumbers(hitsA: number, a: number, hitsB: number, b: number): number {
  const hits = hitsA + hitsB;
  const tables = (k: number) => choose(a, k) * choose(b, hits - k);
  let sum = 0n;
  for (let k = Math.max(0, hits - b); k <= Math.min(a, hits); k += 1) if (tables(k) <= tables(hitsA)) sum += tables(k);
  const scale = 10n ** 60n;
  return Number((sum * scale) / choose(a + b, hits)) / 1e60;
}

it("gives the probabilities that R's fisher.test gives", () => {
  expect(fisherExact(3, 4, 1, 4)).toBeCloseTo(0.4857142857, 9);
  expect(fisherExact(1, 10, 11, 14)).toBeCloseTo(0.0027594561852, 12);
  expect(fisherExact(0, 20, 0, 30)).toBe(1);
});

it("is exact, whatever the counts", () => {
  const group = fc
    .integer({ min: 1, max: 150 })
    .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
  fc.assert(
    fc.property(group, group, ([hitsA, a], [hitsB, b]) => {
      const p = fisherExact(hitsA, a, hitsB, b);
      const exact = inWholeNumbers(hitsA, a, hitsB, b);
      expect(Math.abs(p - exact)).toBeLessThanOrEqual(1e-9 * exact + 1e-50);
      expect(fisherExact(hitsB, b, hitsA, a)).toBeCloseTo(p, 12);
      expect(fisherOfTables([{ hitsA, a, hitsB, b }])).toBeCloseTo(p, 9);
    }),
    { numRuns: propertyRuns(50) },
  );
});

it("of several tables counts all ways to share the hits of each", () => {
  /** How many ways there are to share the hits of all tables, by the sum of `hitsA`. */
  const ways = (tables: readonly Table[]): Map<number, bigint> => {
    const [first, ...others] = tables;
    if (!first) return new Map([[0, 1n]]);
    const hits = first.hitsA + first.hitsB;
    const counted = new Map<number, bigint>();
    for (const [sum, rest] of ways(others))
      for (let k = Math.max(0, hits - first.b); k <= Math.min(first.a, hits); k += 1)
        counted.set(sum + k, (counted.get(sum + k) ?? 0n) + rest * choose(first.a, k) * choose(first.b, hits - k));
    return counted;
  };
  const group = fc
    .integer({ min: 0, max: 12 })
    .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
  const table = fc.tuple(group, group).map(([[hitsA, a], [hitsB, b]]): Table => ({ hitsA, a, hitsB, b }));
  fc.assert(
    fc.property(fc.array(table, { maxLength: 5 }), (tables) => {
      const counted = ways(tables);
      const observed = counted.get(tables.reduce((sum, { hitsA }) => sum + hitsA, 0)) as bigint;
      const sumOf = (values: bigint[]) => Number(values.reduce((sum, value) => sum + value, 0n));
      const all = [...counted.values()];
      expect(fisherOfTables(tables)).toBeCloseTo(sumOf(all.filter((value) => value <= observed)) / sumOf(all), 9);
    }),
    { numRuns: propertyRuns(100) },
  );
});
