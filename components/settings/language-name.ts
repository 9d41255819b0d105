/** A language or locale (`sv`, `de_AT`) as a list names it in the reader's language; the code where nobody knows it. */
export function languageName(code: string, locale: string): string {
  const name = displayName(code.replace("_", "-"), locale) ?? code;
  // Where it stands alone, also languages that write it small begin it large.
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

function displayName(code: string, locale: string): string | undefined {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(code);
  } catch {
    return undefined; // not a language tag at all: texts may be kept under any name
  }
}
