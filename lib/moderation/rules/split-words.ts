/** A normalized word of a text, and its position (UTF-16 code units, end exclusive). */
export type Word = { text: string; start: number; end: number };

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * Splits a text into words by Unicode segmentation, which also supports scripts without spaces. Splits at apostrophes
 * (`d'accord`).
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue;
    for (const { 0: part, index: at } of segment.matchAll(/[^'’]+/gu)) {
      words.push({ text: normalizeText(part), start: index + at, end: index + at + part.length });
    }
  }
  return words;
}

/** Lower-cases, resolves full-width and ligature forms, and removes invisible characters. */
export const normalizeText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .normalize("NFC");

/** Number of letters, in code points. */
export const countLetters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** Replaces emoji with spaces of the same length, so that positions don't change. */
export const withoutEmoji = (text: string): string =>
  text.replace(/\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|\u{20E3}|[\u{1F3FB}-\u{1F3FF}]/gu, (picture) =>
    " ".repeat(picture.length),
  );
