import type { Statistics } from "@/lib/catalog/summaries/schema";
import { canonicalLocale } from "@/lib/platform/i18n/languages";

/** Counters of accepted own reviews; `dist` has the number of each score, 1 to 5. */
export type Counts = { count: number; sum: number; dist: readonly [number, number, number, number, number] };

/** External totals of a product or family: those the client displays, and all stored ones. */
export type External = {
  proShown: number;
  userShown: number;
  /** All reviews, displayed or not. */
  count: number;
  /** Number of reviews with a known score, and the sum of their scores on the 0 to 10 scale. */
  weight: number;
  points: number;
};

export const noExternal: External = { proShown: 0, userShown: 0, count: 0, weight: 0, points: 0 };

/** Settings that select which external totals a client displays. */
export type ExternalSettings = {
  external_pro_reviews: boolean;
  external_user_reviews: boolean;
  external_review_locale: string;
  external_review_countries: string | null;
};

/** The settings as kinds, locales and countries in the stored spelling; an empty list means all. */
export const displayedTotals = (settings: ExternalSettings) => ({
  pro: settings.external_pro_reviews,
  user: settings.external_user_reviews,
  locales: listed(settings.external_review_locale).map(canonicalLocale),
  countries: listed(settings.external_review_countries).map((country) => country.toUpperCase()),
});

const listed = (value: string | null): string[] =>
  (value ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** `sum / count` to two decimals, rounded once from the exact value; null for no reviews. */
export const average = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((sum * 100) / count) / 100;

/**
 * Statistics of a product or family. `score` is the mean of all reviews on the 0 to 10 scale, weighted by count and
 * rounded once. A review with i stars counts 2 × i, as does step i of an external distribution, so without external
 * reviews `score` is twice the own average.
 */
export function statistics(own: Counts, external: External = noExternal): Statistics {
  return {
    your_review_count: own.count,
    your_avg_score: average(own.sum, own.count),
    pro_review_count: external.proShown,
    user_review_count: external.userShown,
    score: average(2 * own.sum + external.points, own.count + external.weight),
    your_score_dist: [...own.dist],
    your_review_answers: null,
  };
}
