import type { Statistics } from "@/lib/summaries/schema";

/** Counters of accepted own reviews: how many of each score, 1 to 5. */
export type Counts = { count: number; sum: number; dist: readonly [number, number, number, number, number] };

/** External totals: all that is known goes into the score, only what the client displays into the shown counts. */
export type External = { proShown: number; userShown: number; count: number; sum: number };

export const noExternal: External = { proShown: 0, userShown: 0, count: 0, sum: 0 };

/** `sum / count` to two decimals, rounded once from the exact value; null for no reviews. */
export const average = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((sum * 100) / count) / 100;

/**
 * The statistics of a product or family. `score` is the mean of all reviews on the 0 to 10 scale, weighted by count:
 * twice the own average when there are no external reviews. `external.sum` is on the 0 to 10 scale already.
 */
export function statistics(own: Counts, external: External = noExternal): Statistics {
  return {
    your_review_count: own.count,
    your_avg_score: average(own.sum, own.count),
    pro_review_count: external.proShown,
    user_review_count: external.userShown,
    score: average(2 * own.sum + external.sum, own.count + external.count),
    your_score_dist: [...own.dist],
    your_review_answers: null,
  };
}
