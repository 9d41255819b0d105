/** An average of stars with one decimal, as stores show it: `4.0` like `4.3`. */
export const formatAverage = (stars: number, locale: string): string =>
  stars.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
