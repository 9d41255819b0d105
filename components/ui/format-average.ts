/** An average of stars as people read it: one decimal everywhere, as shops show it, `4.0` like `4.3`. */
export const formatAverage = (stars: number, locale: string): string =>
  stars.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
