import type { Language } from "@/lib/platform/i18n/languages";
import type { Room } from "@/lib/platform/i18n/rooms";
import type { Dictionary } from "@/lib/platform/i18n/rules";

const places: Record<Exclude<Language, "en">, 0 | 1 | 2 | 3> = {
  de: 0,
  fr: 1,
  es: 2,
  sv: 3,
};

/** French keeps its double signs with the word before them, and its quotes with what they hold. */
const french = (text: string): string =>
  text
    .replace(/ ([;?!%])/g, "\u202f$1")
    .replace(/ ([:»])/g, "\u00a0$1")
    .replace(/« /g, "«\u00a0");

/** What rooms say in a language, by the English of it, with the spaces that the language sets. English needs none. */
export function inLanguage(rooms: readonly Room[], language: Language): Dictionary {
  if (language === "en") return {};
  const place = places[language];
  const set = language === "fr" ? french : (text: string) => text;
  return Object.fromEntries(
    rooms.flatMap((room) => Object.entries(room).map(([text, said]): [string, string] => [text, set(said[place])])),
  );
}
