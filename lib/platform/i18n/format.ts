/**
 * English dates are in the international format, 8 Mar 2026, 14:05: clear to readers everywhere, and equal in Node and
 * all browsers, which put different spaces before AM and PM. Lists have no comma before “and”, like our texts.
 */
export const internationalEnglish = (locale: string): string => (locale === "en" ? "en-GB" : locale);

/** A time such as `8 Mar 2026, 14:05`, in the given time zone and locale, as in the portal. */
export const formatMoment = (moment: Date | string, timeZone: string, locale: string): string =>
  new Intl.DateTimeFormat(internationalEnglish(locale), { dateStyle: "medium", timeStyle: "short", timeZone }).format(
    new Date(moment),
  );

/** A calendar day (`2026-03-08`) as `8 Mar 2026`. A day has no time zone. */
export const formatDay = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(internationalEnglish(locale), { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** A month (`2026-03`) as `Mar 2026`. */
export const formatMonth = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(internationalEnglish(locale), { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** `reviews, photos and questions`. */
export const formatList = (items: string[], locale: string): string =>
  new Intl.ListFormat(internationalEnglish(locale)).format(items);

/** A number with the locale's grouping: `1,234`, or `1,234+` if there are `more` than were counted. */
export const formatCount = (count: number, locale: string, more: boolean = false): string =>
  `${new Intl.NumberFormat(locale).format(count)}${more ? "+" : ""}`;

/** An amount of money of unknown currency: `1,234.50`. */
export const formatAmount = (amount: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 3 }).format(amount);

/** A difference with its sign, `+3` or `−3`, from its `size` as formatted for the locale. */
export const formatDifference = (difference: number, size: string): string => `${difference < 0 ? "−" : "+"}${size}`;
