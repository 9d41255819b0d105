/** A word of a text as it is compared, and where it stands (UTF-16 code units, end exclusive). */
export type Word = { text: string; start: number; end: number };

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * The words of a text by Unicode segmentation, which knows scripts without blanks too. What an apostrophe joins is two
 * words (`d'accord`).
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

/** Lower-case, full-width and ligature forms made plain, invisible characters gone. */
export const normalizeText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .normalize("NFC");

/** Letters of a text, in code points. */
export const countLetters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** The text with pictures (emoji) made blanks of the same length, so that places stay what they are. */
export const withoutEmoji = (text: string): string =>
  text.replace(/\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|\u{20E3}|[\u{1F3FB}-\u{1F3FF}]/gu, (picture) =>
    " ".repeat(picture.length),
  );
