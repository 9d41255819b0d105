import { expect, it } from "vitest";
import { formatHours, formatPercent, formatShare, nameOfKey, scaleTop } from "@/components/insights/analytics/format";
import { english } from "@/lib/platform/i18n/english";
import { languages } from "@/lib/platform/i18n/languages";
import { portalText } from "@/lib/platform/i18n/messages";

it("formats shares without rounding to 0% or 100%", () => {
  expect([
    formatShare(0, 0, english),
    formatShare(0, 9, english),
    formatShare(1, 1_000, english),
    formatShare(999, 1_000, english),
    formatShare(9, 9, english),
  ]).toEqual(["–", "0%", "under 1%", "over 99%", "100%"]);
  const shares = [1, 4, 64, 1_999, 2_000].map((part) => formatShare(part, 2_000, english, 1));
  expect(shares).toEqual(["under 0.1%", "0.2%", "3.2%", "over 99.9%", "100%"]);
});

it("ends a scale where its middle is shown exactly", () => {
  const tops = [0.4, 5, 21.3, 25, 31, 100].map((most) => scaleTop(most, 5));
  expect(tops).toEqual([10, 10, 30, 30, 40, 100]);
  expect(tops.map((top) => formatPercent(top / 2, english))).toEqual(["5%", "5%", "15%", "15%", "20%", "50%"]);
  expect([1, 2.2, 31].map((hours) => scaleTop(hours, 1))).toEqual([2, 4, 32]);
});

it("shows times in the unit that fits", () => {
  expect([null, 0, 0.2, 1, 3.25, 30, 60].map((hours) => formatHours(hours, english))).toEqual([
    "–",
    "1\u00a0min",
    "12\u00a0min",
    "1\u00a0hr",
    "3.3\u00a0hr",
    "30\u00a0hr",
    "2.5\u00a0days",
  ]);
});

it("keeps a number and its unit on one line in every language", () => {
  for (const language of languages) {
    const t = portalText(language);
    const texts = [
      ...[t("analytics.timeMinutes", { time: 4 }), t("analytics.timeHours", { time: "3" })],
      ...[t("common.ageMinutes", { n: 4 }), t("common.ageHours", { n: 3 })],
      ...[1, 2, 2.5].flatMap((n) => [t("common.ageDays", { n }), t("common.ageDaysHours", { n, hours: 1 })]),
      t("deliveries.attemptLine", { moment: "", result: "", duration: 100 }),
    ];
    for (const text of texts) {
      expect(text, language).toMatch(/\d\u00a0\p{L}/u);
      expect(text, language).not.toMatch(/\d \p{L}/u);
    }
  }
});

it("labels missing names", () => {
  expect([
    nameOfKey("brand", null, null, english),
    nameOfKey("language", null, null, english),
    nameOfKey("language", "sv", "sv", english),
    nameOfKey("product", "P-1", null, english),
    nameOfKey("product", "P-1", "Lamp", english),
  ]).toEqual(["No brand", "Unknown language", "Swedish", "P-1", "Lamp"]);
});
