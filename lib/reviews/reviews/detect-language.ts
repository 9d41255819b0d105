import { perProcess } from "@/lib/platform/process";

/** So many characters are enough for most texts: of thousands of real reviews none was told otherwise by more of it. */
const FIRST_PASS_CHARACTERS = 80;
/** Where they are not, so many are looked at. */
const MAX_CHARACTERS = 1_000;

/** Loaded for the first text: its tables take a quarter of a second and 100 MB, which a process without texts saves. */
const detector = () => perProcess("language-detector", () => import("eld/small"));

/**
 * The language of a text as a two-letter code, or null where the detector is not sure (short texts, mostly). Its cost
 * grows with what it looks at and is the largest part of a submission's, so it looks at no more than it needs.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  if (text.trim() === "") return null;
  const { eld } = await detector();
  const detectReliably = (part: string) => {
    const found = eld.detect(part);
    return found.isReliable() ? found.language : null;
  };
  return (
    detectReliably(text.slice(0, FIRST_PASS_CHARACTERS)) ??
    (text.length > FIRST_PASS_CHARACTERS ? detectReliably(text.slice(0, MAX_CHARACTERS)) : null)
  );
}

/** The language of a locale: `sv` of `sv_SE`. */
export const languageOf = (locale: string): string => locale.split(/[_-]/)[0] ?? locale;

/** The language that somebody wrote these texts in; where the detector is not sure, that of the client's locale. */
export const languageOfTexts = async ({ locale }: { locale: string }, texts: (string | null)[]): Promise<string> =>
  (await detectLanguage(texts.filter(Boolean).join("\n"))) ?? languageOf(locale);
