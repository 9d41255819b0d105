import type { Unit } from "@/lib/insights/analytics/rules";
import type { Comparison, Period } from "@/lib/insights/analytics/schema";
import type { MessageKey } from "@/lib/platform/i18n/translator";

export const periodLabels: Record<Period, MessageKey> = {
  "7d": "analytics.last7Days",
  "30d": "analytics.last30Days",
  "90d": "analytics.last90Days",
  month: "analytics.thisMonth",
  last_month: "analytics.lastMonth",
  quarter: "analytics.thisQuarter",
  last_quarter: "analytics.lastQuarter",
  year: "analytics.thisYear",
  "12m": "analytics.last12Months",
  "24m": "analytics.last24Months",
  custom: "analytics.customPeriod",
};

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

/** Scores such as `12` as `1–2 ★`. */
export const starsLabel = (stars: string): string =>
  stars.length > 1 ? `${stars.at(0)}–${stars.at(-1)} ★` : `${stars} ★`;
