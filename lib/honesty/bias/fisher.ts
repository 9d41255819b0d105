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
  let p = 0;
  for (let k = Math.max(0, hits - b); k <= Math.min(a, hits); k += 1) {
    const log = logOf(k);
    if (log <= observed) p += Math.exp(log);
  }
  return Math.min(1, p);
}
