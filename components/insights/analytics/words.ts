import { percent as percentOf } from "@/components/ui/percent";
import type { Dimension } from "@/lib/insights/analytics/schema";
import { english, type Words } from "@/lib/platform/i18n/rules";

/** Whole percents, as the language writes them. */
export const percentWords = (percent: number, t: Words = english): string =>
  percentOf(Math.round(percent) / 100, t.locale);

/** A part of a whole in percent, honest about small ones; a dash where there is no whole. */
export function shareWords(part: number, whole: number, t: Words = english): string {
  if (whole === 0) return "–";
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 1) return t("under {percent}", { percent: percentWords(1, t) });
  if (part < whole && percent > 99) return t("over {percent}", { percent: percentWords(99, t) });
  return percentWords(percent, t);
}

/** A time in hours in the unit that tells it best: `4 min`, `3.5 h`, `2.1 d`. */
export function hoursWords(hours: number | null, t: Words = english): string {
  if (hours === null) return "–";
  if (hours < 1) return t("{time} min", { time: Math.max(1, Math.round(hours * 60)) });
  const short = (value: number) =>
    new Intl.NumberFormat(t.locale, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
  return hours < 48 ? t("{time} h", { time: short(hours) }) : t("{time} d", { time: short(hours / 24) });
}

/** The upper edge of a scale that holds `most`: a step at which half of it is a whole number too, as its middle says. */
export const scaleTop = (most: number, step: number): number => Math.ceil(most / (2 * step)) * 2 * step;

const nameless: Record<Dimension, string> = {
  product: "No product",
  family: "No family",
  brand: "No brand",
  language: "Language not known",
};

/** What a row is called. */
export function nameOfKey(
  by: Dimension,
  key: string | null,
  name: string | null | undefined,
  t: Words = english,
): string {
  if (key === null) return t(nameless[by]);
  if (by === "language") return new Intl.DisplayNames(t.locale, { type: "language", fallback: "code" }).of(key) ?? key;
  return name || key;
}
