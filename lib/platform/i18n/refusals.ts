import { inLanguage } from "@/lib/platform/i18n/in-language";
import type { Language } from "@/lib/platform/i18n/languages";
import { type Pattern, patternOf } from "@/lib/platform/i18n/pattern";
import { faultsOfPlaces, LONGEST, saidPlainly } from "@/lib/platform/i18n/places";
import { faults, refusals } from "@/lib/platform/i18n/rooms/refusals";
import {
  callFaults,
  fileFaults,
  platformChecks,
  shopChecks,
  takenFaults,
  templateFaults,
} from "@/lib/platform/i18n/rooms/system-faults";
import { sentence, wordsOf } from "@/lib/platform/i18n/rules";

// The service refuses in English, whoever asks: its messages are part of the API. The portal says them in the reader's
// language. They are looked up whole, else by their pattern, since many name what the case at hand is about.

const all = [faults, refusals, callFaults, fileFaults, shopChecks, platformChecks, takenFaults, templateFaults];

/** A message has a few sentences; of one that has more the rest is told as it is. */
const MOST_SENTENCES = 12;
/** What stands in a place may be made of a sentence with places itself, and so on: no message of ours goes deeper. */
const DEEPEST = 4;

let patterns: Pattern[] | undefined;
/** Those with places, the ones that say most by themselves first. */
const allPatterns = (): Pattern[] => {
  patterns ??= all
    .flatMap((room) => Object.keys(room))
    .filter((text) => /\{\w+\}/.test(text))
    .map(patternOf)
    .sort((one, other) => other.plain - one.plain);
  return patterns;
};

/** Whether it is told to follow the name of what is at fault. */
const isFault = (text: string): boolean => sentence(text).startsWith("It ") && !text.startsWith("It ");

export type Sayer = (message: string) => string;
const sayers = new Map<Language, Sayer>();

/**
 * Says messages of the service in a language: refusals, faults at fields, what a test of a connection found. What is not
 * known is told in English, as a sentence. Faults that name their places in a program's way (`items[0].id must …`) name
 * them as people do.
 */
export function sayerOf(language: Language): Sayer {
  if (language === "en") return saidPlainly;
  const known = sayers.get(language);
  if (known) return known;
  const tell = translator(language);
  const say: Sayer = (message) =>
    message.length > LONGEST ? message : (faultsOfPlaces(message, language, tell) ?? tell(message));
  sayers.set(language, say);
  return say;
}

function translator(language: Language): Sayer {
  const dictionary = inLanguage(all, language);
  const t = wordsOf(language, dictionary);
  /** What stands in a place, several of them with semicolons between. */
  const within = (value: string, depth: number): string =>
    value
      .split("; ")
      .map((part) => whole(part, depth) ?? (isFault(part) ? whole(sentence(part), depth) : null) ?? part)
      .join("; ");
  function whole(text: string, depth = 0): string | null {
    if (Object.hasOwn(dictionary, text)) return t(text);
    if (depth === DEEPEST) return null;
    for (const { text: key, read } of allPatterns()) {
      const values = read(text);
      if (!values) continue;
      const said = Object.entries(values).map(([name, value]): [string, string | number] => {
        if (typeof value === "number" || name === "said") return [name, value];
        return [name, name === "why" ? inParts(value, MOST_SENTENCES, depth + 1) : within(value, depth + 1)];
      });
      return t(key, Object.fromEntries(said));
    }
    return null;
  }
  /** The longest beginning that is known, and then the rest. */
  function inParts(text: string, left: number, depth = 0): string {
    const said = whole(text, depth);
    if (said !== null || left === 0) return said ?? text;
    const ends = [...text.matchAll(/[.!?”](?= )/g)].map(({ index }) => index + 1).slice(0, MOST_SENTENCES);
    for (const end of ends.reverse()) {
      const first = whole(text.slice(0, end), depth);
      if (first !== null) return `${first} ${inParts(text.slice(end + 1), left - 1, depth)}`;
    }
    return text;
  }
  return (message) => inParts(sentence(message), MOST_SENTENCES);
}
