/** A part of a whole, from 0 to 1, in percent as the language writes it: `18%`, `18 %`. */
export const percent = (part: number, locale: string, digits = 0): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: digits }).format(part);
