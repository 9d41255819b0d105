import { perProcess } from "@/lib/db/process";

/** Enough to be sure of a language; more only costs time. */
const LOOKED_AT = 1_000;

const detector = () => perProcess("language-detector", () => import("eld/small"));

/** Loads the detector's tables, which stops everything else for a quarter of a second: done before a server listens. */
export const loadDetector = async (): Promise<void> => void (await detector());

/** The language of a text as a two-letter code, or null where the detector is not sure (short texts, mostly). */
export async function detectLanguage(text: string): Promise<string | null> {
  if (text.trim() === "") return null;
  const { eld } = await detector();
  const found = eld.detect(text.slice(0, LOOKED_AT));
  return found.isReliable() ? found.language : null;
}

/** The language of a locale: `sv` of `sv_SE`. */
export const languageOf = (locale: string): string => locale.split(/[_-]/)[0] ?? locale;
