import { languageLabel, sourceLabels } from "@/components/moderation/labels";
import { percent as percentOf } from "@/components/ui/percent";
import type { Unit } from "@/lib/insights/analytics/rules";
import type { Dimension } from "@/lib/insights/analytics/schema";
import { formatDay, formatMonth } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** Whole percents, or with a number of decimals at most, formatted for the language. */
export const formatPercent = (percent: number, t: Translate, digits = 0): string =>
  percentOf(Math.round(percent * 10 ** digits) / 10 ** digits / 100, t.language, digits);

/** A share in percent that doesn't round small ones to 0% or large ones to 100%; a dash if the whole is 0. */
export function formatShare(part: number, total: number, t: Translate, digits = 0): string {
  if (total === 0) return "–";
  const percent = (part / total) * 100;
  const step = 10 ** -digits;
  if (part > 0 && percent < step) return t("analytics.underPercent", { percent: formatPercent(step, t, digits) });
  if (part < total && percent > 100 - step)
    return t("analytics.overPercent", { percent: formatPercent(100 - step, t, digits) });
  return formatPercent(percent, t, digits);
}

/** A time given in hours, in the unit that fits best: `4 min`, `3.5 hr`, `2.1 days`. */
export function formatHours(hours: number | null, t: Translate): string {
  if (hours === null) return "–";
  if (hours < 1) return t("analytics.timeMinutes", { time: Math.max(1, Math.round(hours * 60)) });
  if (hours >= 48) return t("common.ageDays", { n: rounded(hours / 24) });
  return t("analytics.timeHours", { time: new Intl.NumberFormat(t.language).format(rounded(hours)) });
}

const rounded = (value: number): number => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

/** The upper end of a scale that includes `most`: an even multiple of the step, so that the middle label is exact. */
export const scaleTop = (max: number, step: number): number => Math.ceil(max / (2 * step)) * 2 * step;

/** Names of groups without a value. Each review has a source and a rating. */
const missingLabels: Record<Exclude<Dimension, "source" | "rating">, MessageKey> = {
  product: "analytics.noProduct",
  family: "analytics.noFamily",
  brand: "analytics.noBrand",
  category: "analytics.noCategory",
  language: "analytics.unknownLanguage",
};

/** The name of a group. */
export function nameOfKey(by: Dimension, key: string | null, name: string | null | undefined, t: Translate): string {
  if (by === "source") return t(sourceLabels[key as keyof typeof sourceLabels]);
  if (by === "rating") return t("common.starCount", { n: Number(key) });
  if (key === null) return t(missingLabels[by]);
  if (by === "language") return languageLabel(key, t.language);
  return name || key;
}

/** The name of a chart's column: a day, the week from a day, a month or a year. */
export function nameOfUnit(unit: Unit, from: string, t: Translate): string {
  if (unit === "day") return formatDay(from, t.language);
  if (unit === "week") return t("invitations.weekOf", { day: formatDay(from, t.language) });
  return unit === "month" ? formatMonth(from.slice(0, 7), t.language) : from.slice(0, 4);
}
