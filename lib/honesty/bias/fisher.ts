import { gammaln } from "simple-statistics";

const logChoose = (n: number, k: number): number => gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1);

/** Tables as likely as the observed one count as extreme, also if rounding makes them a little likelier. */
const TOLERANCE = 1e-7;

/**
 * Fisher's exact test, two-sided: how likely counts at least as unlikely as these are if both groups were treated alike.
 * `hitsA` of `a` and `hitsB` of `b` have the trait; all are whole numbers.
 */
export function fisherExact(hitsA: number, a: number, hitsB: number, b: number): number {
  const hits = hitsA + hitsB;
  const all = logChoose(a + b, hits);
  const logOf = (k: number) => logChoose(a, k) + logChoose(b, hits - k) - all;
  const observed = logOf(hitsA) + TOLERANCE;
  const [least, most] = [Math.max(0, hits - b), Math.min(a, hits)];
  const mode = Math.min(most, Math.max(least, Math.floor(((hits + 1) * (a + 1)) / (a + b + 2))));
  // On both sides of the likeliest table, each is less likely than the one before.
  const below = sumOfTail((index) => logOf(mode - index), mode - least + 1, observed);
  const above = sumOfTail((index) => logOf(mode + 1 + index), most - mode, observed);
  return Math.min(1, below + above);
}

/** `hitsA` of `a` and `hitsB` of `b` have the trait. */
export type Table = { hitsA: number; a: number; hitsB: number; b: number };

/**
 * Fisher's exact test of several tables, two-sided: how likely sums of `hitsA` at least as unlikely as this one are if both
 * groups were treated alike in each table, whatever the shares and sizes of each are. Of one table, it is
 * {@link fisherExact}.
 */
export function fisherOfTables(tables: readonly Table[]): number {
  let sums = [1];
  let observed = 0;
  for (const { hitsA, a, hitsB, b } of tables) {
    const hits = hitsA + hitsB;
    const [least, most] = [Math.max(0, hits - b), Math.min(a, hits)];
    const all = logChoose(a + b, hits);
    const likely = Array.from({ length: most - least + 1 }, (_, index) =>
      Math.exp(logChoose(a, least + index) + logChoose(b, hits - least - index) - all),
    );
    sums = sumsOf(sums, likely);
    observed += hitsA - least;
  }
  const most = (sums[observed] ?? 0) * (1 + TOLERANCE);
  return Math.min(
    1,
    sums.filter((likely) => likely <= most).reduce((sum, likely) => sum + likely, 0),
  );
}

/** How likely each sum of two independent counts is. */
function sumsOf(one: readonly number[], other: readonly number[]): number[] {
  const sums = new Array<number>(one.length + other.length - 1).fill(0);
  one.forEach((likely, index) => {
    other.forEach((also, more) => {
      sums[index + more] = (sums[index + more] as number) + likely * also;
    });
  });
  return sums;
}

/** Adds up those of some tables that aren't likelier than the observed one; each is less likely than the one before. */
function sumOfTail(logOf: (index: number) => number, tables: number, observed: number): number {
  let [from, to] = [0, tables];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (logOf(middle) > observed) from = middle + 1;
    else to = middle;
  }
  let sum = 0;
  for (let index = from; index < tables; index += 1) {
    const added = Math.exp(logOf(index));
    sum += added;
    if (added <= sum * Number.EPSILON) break;
  }
  return sum;
}
