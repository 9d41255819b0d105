import type { Unit } from "@/lib/insights/analytics/rules";
import type { Comparison, Period } from "@/lib/insights/analytics/schema";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** Periods of the last so many days, and the names of the others. */
const lastDays: Partial<Record<Period, number>> = { "7d": 7, "30d": 30, "90d": 90 };
const periodLabels: Partial<Record<Period, MessageKey>> = {
  month: "analytics.thisMonth",
  last_month: "analytics.lastMonth",
  quarter: "analytics.thisQuarter",
  last_quarter: "analytics.lastQuarter",
  year: "analytics.thisYear",
  "12m": "analytics.last12Months",
  "24m": "analytics.last24Months",
  custom: "library.customDates",
};

export function periodLabel(period: Period, t: Translate): string {
  const label = periodLabels[period];
  return label ? t(label) : t("library.lastDays", { n: lastDays[period] ?? 0 });
}

export const comparisonLabels: Record<Comparison, MessageKey> = {
  previous: "analytics.comparePrevious",
  year: "analytics.compareYear",
  none: "analytics.compareNone",
};

export const unitLabels: Record<Unit, MessageKey> = {
  day: "charts.day",
  week: "charts.week",
  month: "charts.month",
  year: "charts.year",
};

/** Scores such as `12` as `1–2 ★`, and `15` as `1, 5 ★`. */
export function starsLabel(stars: string): string {
  const isRange = stars.length > 1 && Number(stars.at(-1)) - Number(stars[0]) === stars.length - 1;
  return `${isRange ? `${stars[0]}–${stars.at(-1)}` : [...stars].join(", ")} ★`;
}
