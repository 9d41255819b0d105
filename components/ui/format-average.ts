/** An average of stars with one decimal, as stores show it: `4.0` like `4.3`; or with more, to compare averages. */
export const formatAverage = (stars: number, locale: string, digits = 1): string =>
  stars.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
