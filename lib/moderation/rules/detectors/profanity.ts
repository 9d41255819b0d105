import { type Entry, lexiconOf, nativeLetters, profaneEmoji } from "@/lib/moderation/rules/detectors/profanity-lexicon";
import type { FieldRule, RuleInput, Span } from "@/lib/moderation/rules/rule-input";
import { normalizeText, splitWords, type Word } from "@/lib/moderation/rules/split-words";

/**
 * Profanity: the words of the item's language, plus definite English ones in any language. Matches whole words only, so
 * that "Scunthorpe" is fine. Definite words, also masked ("f*ck", "fuuuck", "f u c k"), and the store's own list are
 * definite findings; others are held for a person. In author names only definite words count, and a single word is
 * always held.
 */
export const findProfanity: FieldRule<"profanity"> = (
  { name, text },
  { lang },
  _shop,
  { words = [], allowed = [] },
) => {
  const lexicon = lexiconOf(lang);
  const textWords = splitWords(text);
  const found = [
    ...matches(text, textWords, [indexOf(words), lexicon.byFirst]),
    ...findDisguised(text, textWords, lexicon.sure, lang),
    ...findEmoji(text),
  ];
  const allowedSpans = matches(text, textWords, [indexOf(allowed)]);
  const isFine = (span: Span) => allowedSpans.some(({ start, end }) => start < span.end && span.start < end);
  const remainingSpans = dropOverlapping(found.filter((span) => (span.sure || name !== "author") && !isFine(span)));
  return name === "author"
    ? remainingSpans.map((span) => ({ ...span, sure: isObfuscated(text.slice(span.start, span.end)) }))
    : remainingSpans;
};

/** Many profane words are also surnames (Kuk, Wanker, Ficken); masked words and phrases aren't. */
const isObfuscated = (passage: string): boolean => /[^\p{L}\p{M}]/u.test(passage);

/** Maximum findings per field; more add no information. */
const MAX_SPANS = 20;

type Index = ReadonlyMap<string, readonly Entry[]>;

const indexes = new WeakMap<readonly string[], Index>();

/** Indexes the store's own words by first word; all are definite. Cached per list, which may be long. */
function indexOf(words: readonly string[]): Index {
  const known = indexes.get(words);
  if (known) return known;
  const index = new Map<string, Entry[]>();
  for (const word of words) {
    const [first, ...rest] = splitWords(word).map(({ text }) => text);
    if (first !== undefined) index.set(first, [...(index.get(first) ?? []), { rest, sure: true }]);
  }
  indexes.set(words, index);
  return index;
}

/** Finds listed words and phrases exactly as written, including accents. */
function matches(text: string, words: readonly Word[], indexes: readonly Index[]): Span[] {
  return words.flatMap((word, at) =>
    indexes.flatMap((index) =>
      (index.get(word.text) ?? []).flatMap(({ rest, sure }) => {
        const last = words[at + rest.length];
        const follows =
          last !== undefined &&
          rest.every((next, place) => {
            const here = words[at + place + 1];
            const gap = text.slice(words[at + place]?.end, here?.start);
            return here?.text === next && /^[\s'’-]{0,3}$/.test(gap);
          });
        return follows ? [{ start: word.start, end: last.end, sure }] : [];
      }),
    ),
  );
}

/** Finds definite words with foreign accents or letters, or stretched, masked or spaced out. */
function findDisguised(
  text: string,
  words: readonly Word[],
  sure: ReadonlySet<string>,
  lang: RuleInput["lang"],
): Span[] {
  const spans: Span[] = [];
  for (const { text: word, start, end } of words) {
    if (word.length >= 3 && variants(word, lang).some((variant) => sure.has(variant)))
      spans.push({ start, end, sure: true });
  }
  for (const { 0: raw, index } of text.matchAll(
    /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[\p{L}\p{N}@$!*#+|]{2,30})(?![\p{L}\p{N}])/gu,
  )) {
    const chunk = raw.replace(/(?<![!*#+|$@])[!*#+|$@]+$/u, "");
    if (/^\p{L}+$/u.test(chunk)) continue;
    const masked = [...normalizeText(chunk)];
    const letters = masked.filter((letter) => /\p{L}/u.test(letter)).length;
    if (letters < 2 || letters * 2 < masked.length) continue;
    if ([...sure].some((word) => matchesMask(masked, word)))
      spans.push({ start: index, end: index + chunk.length, sure: true });
  }
  for (const { 0: raw, index } of text.matchAll(/(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*·]){2,30}\p{L}(?![\p{L}\p{N}])/gu)) {
    if (sure.has(normalizeText(raw).replace(/[^\p{L}]/gu, "")))
      spans.push({ start: index, end: index + raw.length, sure: true });
  }
  for (const { 0: raw, index } of text.matchAll(/\p{L}[\p{L}\u200B\u2060\uFEFF]*\p{L}/gu)) {
    if (/[\u200B\u2060\uFEFF]/.test(raw) && sure.has(normalizeText(raw)))
      spans.push({ start: index, end: index + raw.length, sure: true });
  }
  return spans;
}

const lookalikes: Record<string, string> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  к: "k",
  і: "i",
  ѕ: "s",
};

/** Plain forms of a word: repeated letters shortened, and accents removed that its language doesn't have. */
function variants(word: string, lang: RuleInput["lang"]): string[] {
  const native = nativeLetters[lang ?? ""];
  const latin =
    /\p{Script=Latin}/u.test(word) && /\p{Script=Cyrillic}/u.test(word)
      ? word.replace(/\p{Script=Cyrillic}/gu, (letter) => lookalikes[letter] ?? letter)
      : word;
  const folded =
    native === undefined
      ? latin
      : latin.replace(/[^\p{ASCII}]/gu, (letter) =>
          native.includes(letter) ? letter : letter.normalize("NFD").replace(/\p{M}/gu, ""),
        );
  const drawn = /(\p{L})\1\1/u.test(folded)
    ? [folded.replace(/(\p{L})\1{2,}/gu, "$1"), folded.replace(/(\p{L})\1{2,}/gu, "$1$1")]
    : [];
  return [folded, ...drawn].filter((variant) => variant !== word);
}

const standsFor: Record<string, string> = {
  "0": "o",
  "1": "il",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "il",
  "+": "t",
};

const matchesMask = (masked: readonly string[], word: string): boolean => {
  const letters = [...word];
  return (
    letters.length === masked.length &&
    letters.every((letter, place) => {
      const given = masked[place] as string;
      return given === letter || given === "*" || given === "#" || (standsFor[given]?.includes(letter) ?? false);
    })
  );
};

/** Finds profane emoji. */
const findEmoji = (text: string): Span[] =>
  profaneEmoji.flatMap((literal) => {
    const spans: Span[] = [];
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length))
      spans.push({ start: at, end: at + literal.length, sure: false });
    return spans;
  });

/** Keeps one finding per passage: definite ones first, then the longest. */
function dropOverlapping(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.sort((a, b) => Number(b.sure) - Number(a.sure) || b.end - b.start - (a.end - a.start))) {
    if (result.length >= MAX_SPANS) break;
    if (!result.some(({ start, end }) => start < span.end && span.start < end)) result.push(span);
  }
  return result;
}
