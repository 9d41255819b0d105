/** A share from 0 to 1 in percent, formatted for the language: `18%`, `18 %`. */
export const percent = (part: number, locale: string, digits = 0): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: digits }).format(part);
