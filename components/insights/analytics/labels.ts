import type { Unit } from "@/lib/insights/analytics/rules";
import type { Comparison, Dimension, Period } from "@/lib/insights/analytics/schema";
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

/** The tabs that group reviews. */
export const dimensionLabels: Record<Dimension, MessageKey> = {
  product: "navigation.products",
  family: "analytics.families",
  brand: "analytics.brands",
  category: "analytics.categories",
  language: "analytics.languages",
  source: "analytics.sources",
  rating: "analytics.ratings",
};

/** The first column of the groups. */
export const columnLabels: Record<Dimension, MessageKey> = {
  product: "common.product",
  family: "products.family",
  brand: "products.brand",
  category: "products.category",
  language: "common.language",
  source: "queue.source",
  rating: "analytics.rating",
};

export const tableLabels: Record<Dimension, MessageKey> = {
  product: "analytics.reviewsByProduct",
  family: "analytics.reviewsByFamily",
  brand: "analytics.reviewsByBrand",
  category: "analytics.reviewsByCategory",
  language: "analytics.reviewsByLanguage",
  source: "analytics.reviewsBySource",
  rating: "analytics.reviewsByRating",
};

export const unitLabels: Record<Unit, MessageKey> = {
  day: "analytics.day",
  week: "analytics.week",
  month: "analytics.month",
  year: "analytics.year",
};

/** Scores such as `12` as `1–2 ★`. */
export const starsLabel = (stars: string): string =>
  stars.length > 1 ? `${stars.at(0)}–${stars.at(-1)} ★` : `${stars} ★`;
