/** A language or locale (`sv`, `de_AT`) in the reader's language; the code if it is unknown. */
export function languageName(code: string, locale: string): string {
  const name = displayName(code.replace("_", "-"), locale) ?? code;
  // Capitalized because it stands alone, also in languages that write it in lowercase.
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

function displayName(code: string, locale: string): string | undefined {
  try {
    return new Intl.DisplayNames(locale, { type: "language", languageDisplay: "standard" }).of(code);
  } catch {
    return undefined; // not a valid language tag: texts can be stored under any name
  }
}
