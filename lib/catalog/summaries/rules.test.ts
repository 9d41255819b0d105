import { describe, expect, it } from "vitest";
import { average, displayedTotals, statistics } from "@/lib/catalog/summaries/rules";

describe("average", () => {
  it("rounds once, half up, from the exact value", () => {
    expect(average(1, 8)).toBe(0.13); // 0.125
    expect(average(13, 3)).toBe(4.33);
    expect(average(9, 2)).toBe(4.5);
    expect(average(0, 0)).toBeNull();
  });
});

describe("statistics", () => {
  it("scores own reviews as twice their average", () => {
    const own = { count: 2, sum: 9, dist: [0, 0, 0, 1, 1] as const };
    expect(statistics(own)).toMatchObject({ score: 9, your_avg_score: 4.5, your_score_dist: [0, 0, 0, 1, 1] });
    // 2 × 4.33 would be 8.66; the exact mean is 8.666…
    expect(statistics({ count: 3, sum: 13, dist: [0, 0, 0, 2, 1] }).score).toBe(8.67);
  });

  it("weights external reviews by count, displayed or not, and ignores those without a score", () => {
    const own = { count: 1, sum: 5, dist: [0, 0, 0, 0, 1] as const };
    const result = statistics(own, { proShown: 0, userShown: 3, count: 9, weight: 4, points: 20 });
    expect(result).toMatchObject({ score: 6, user_review_count: 3, pro_review_count: 0 });
  });
});

describe("displayedTotals", () => {
  it("accepts any spelling in lists and treats an empty list as all", () => {
    const settings = {
      external_pro_reviews: true,
      external_user_reviews: false,
      external_review_locale: " en-us ,sv_SE,, zh-hant-tw",
      external_review_countries: "se,US ",
    };
    expect(displayedTotals(settings)).toEqual({
      pro: true,
      user: false,
      locales: ["en_US", "sv_SE", "zh_Hant_TW"],
      countries: ["SE", "US"],
    });
    const all = displayedTotals({ ...settings, external_review_locale: "", external_review_countries: null });
    expect(all).toMatchObject({ locales: [], countries: [] });
  });
});
