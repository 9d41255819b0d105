/** The supported languages. Browser-safe. */
export const languages = ["en", "de", "fr", "es", "sv"] as const;
export type Language = (typeof languages)[number];

/** The supported language of a tag or locale, in any spelling such as `sv`, `de-AT`, `fr_BE`. Undefined if there is none. */
export function supportedLanguage(tag: string | null | undefined): Language | undefined {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return languages.find((language) => language === primary);
}

/** The first supported language of the candidates, or English. Candidates are as in `supportedLanguage`. */
export function languageOf(...candidates: (string | null | undefined)[]): Language {
  for (const candidate of candidates) {
    const supported = supportedLanguage(candidate);
    if (supported) return supported;
  }
  return "en";
}

/** The languages of an Accept-Language header, by preference. */
export function acceptedLanguages(header: string | null): string[] {
  return (header ?? "")
    .slice(0, 1_000)
    .split(",")
    .map((part, place) => {
      const [tag = "", ...rest] = part.trim().split(";");
      const weight = Number(rest.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean) ?? 1);
      return { tag, weight, place };
    })
    .filter(({ tag, weight }) => tag !== "" && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .map(({ tag }) => tag);
}

/** A locale in canonical spelling for comparison: `en-us` is `en_US`, `zh-hant-tw` is `zh_Hant_TW`. */
export const canonicalLocale = (locale: string): string =>
  locale
    .trim()
    .split(/[-_]/)
    .map((part, index) => {
      const small = part.toLowerCase();
      if (index === 0) return small;
      return small.length === 4 ? small.charAt(0).toUpperCase() + small.slice(1) : small.toUpperCase();
    })
    .join("_");
