import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { ByStars } from "@/lib/honesty/figures";
import { dayIn } from "@/lib/platform/clock";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";
import type { Language } from "@/lib/platform/i18n/languages";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";

/** Reviews from which on shares are shown as percent: fewer tell nothing about a store. */
export const MIN_FOR_SHARES = 20;

/** What the page's parts need to write texts: the store, the language and its formats. */
export type Writer = {
  t: PublicText;
  language: Language;
  shop: string;
  day: (at: string) => string;
  calendarDay: (day: string) => string;
  moment: (at: string) => string;
  number: (count: number) => string;
  /** of two numbers, as whole percent, which is 100% or 0% only if it's exactly so */
  percent: (part: number, whole: number) => string;
  days: (count: number) => string;
  /** `7–60 days` */
  dayRange: (from: number, to: number) => string;
  /** a number of minutes that was rounded down, rounded up to minutes, hours or days */
  duration: (minutes: number, display?: "long" | "short") => string;
};

export function writerFor(client: ClientRow, language: Language): Writer {
  const zone = timeZoneOf(client);
  const unit = (name: "minute" | "hour" | "day", unitDisplay: "long" | "short" = "long") =>
    new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay });
  const percents = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const numbers = new Intl.NumberFormat(language);
  return {
    t: publicText(language),
    language,
    shop: client.display_name,
    day: (at) => formatDay(dayIn(zone, new Date(at)), language),
    calendarDay: (day) => formatDay(day, language),
    moment: (at) => formatMoment(at, zone, language),
    number: (count) => numbers.format(count),
    percent: (part, whole) => percents.format(wholePercent(part, whole) / 100),
    days: (count) => unit("day").format(count),
    dayRange: (from, to) => (from === to ? unit("day").format(to) : unit("day").formatRange(from, to)),
    duration: (minutes, display) => {
      const within = minutes + 1;
      if (within < 120) return unit("minute", display).format(within);
      if (within < 2 * 24 * 60) return unit("hour", display).format(Math.ceil(within / 60));
      return unit("day", display).format(Math.ceil(within / (24 * 60)));
    },
  };
}

function wholePercent(part: number, whole: number): number {
  if (part === 0 || whole === 0) return 0;
  return part === whole ? 100 : Math.min(99, Math.max(1, Math.round((100 * part) / whole)));
}

/** Numbers by stars, added up. */
export function sumOf(...all: ByStars[]): ByStars {
  const stars = [0, 1, 2, 3, 4].map((index) => all.reduce((sum, one) => sum + (one.stars[index] ?? 0), 0));
  return { total: all.reduce((sum, { total }) => sum + total, 0), stars: stars as ByStars["stars"] };
}

export const lowOf = ({ stars: [one, two] }: ByStars): number => one + two;
export const midOf = ({ stars }: ByStars): number => stars[2];
export const highOf = ({ stars: [, , , four, five] }: ByStars): number => four + five;
