import listed from "naughty-words";
import { additionalWords, certainWords, harmlessWords } from "@/lib/moderation/rules/detectors/profanity-words";
import { splitWords } from "@/lib/moderation/rules/split-words";
import { perProcess } from "@/lib/platform/process";

// Profane words by language. The lists are those of the package naughty-words (the List of Dirty, Naughty, Obscene, and
// Otherwise Bad Words by Shutterstock and others, CC BY 4.0), without words that are common in reviews.

/** The words of an entry after its first, and whether the entry is definite. */
export type Entry = { readonly rest: readonly string[]; readonly sure: boolean };

type Lexicon = {
  /** entries by first word */
  byFirst: ReadonlyMap<string, readonly Entry[]>;
  /** definite single words, which are also found when masked */
  sure: ReadonlySet<string>;
};

/** Emoji that are profane in any language. */
export const profaneEmoji = ["🖕"];

/** Letters beyond a to z that belong to a language, so they aren't a disguise. */
export const nativeLetters: Partial<Record<string, string>> = {
  en: "",
  de: "äöüß",
  fr: "àâæçéèêëîïôœùûüÿ",
  es: "áéíóúüñ",
  sv: "åäöéà",
};

const codeOf: Record<string, string> = { nb: "no", nn: "no" };
const lists = listed as unknown as Record<string, string[]>;

/** Languages with a word list; others are checked with the English one only. */
export const lexiconLanguages: readonly string[] = Object.keys(harmlessWords);

/** The profane words that apply to a text in this language. */
export function lexiconOf(lang: string | null): Lexicon {
  const code = codeOf[lang ?? ""] ?? lang ?? "";
  const known = lexiconLanguages.includes(code) ? code : "";
  return perProcess(`lexicon:${known}`, () => makeLexicon(known));
}

function makeLexicon(lang: string): Lexicon {
  const certain = [...(certainWords[lang] ?? []), ...(lang === "en" ? [] : (certainWords.en ?? []))];
  const dropped = new Set((harmlessWords[lang] ?? []).map(keyOf));
  const uncertain = [...(lists[lang] ?? []), ...(additionalWords[lang] ?? [])].filter(
    (entry) => !dropped.has(keyOf(entry)) && isSearchable(entry),
  );
  const byFirst = new Map<string, Entry[]>();
  const add = (entry: string, sure: boolean) => {
    const [first, ...rest] = splitWords(entry).map(({ text }) => text);
    if (first === undefined) return;
    const there = byFirst.get(first) ?? [];
    if (!there.some((known) => known.rest.join(" ") === rest.join(" "))) byFirst.set(first, [...there, { rest, sure }]);
  };
  for (const entry of certain) add(entry, true);
  for (const entry of uncertain) add(entry, false);
  return { byFirst, sure: new Set(certain.filter((word) => !word.includes(" "))) };
}

const keyOf = (entry: string): string =>
  splitWords(entry)
    .map(({ text }) => text)
    .join(" ");

/** Excludes single letters and words joined by signs ("s&m"), which cause false positives. */
const isSearchable = (entry: string): boolean =>
  [...entry].length > 1 && splitWords(entry).every(({ text }) => [...text].length > 1) && !/[&*=$]/.test(entry);
