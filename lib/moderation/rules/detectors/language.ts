import type { ItemRule } from "@/lib/moderation/rules/rule-input";
import { countLetters } from "@/lib/moderation/rules/split-words";

/** Fewer letters are not enough to be sure of a language. */
const MIN_LETTERS = 60;

/** Languages that are written so alike that a detector takes one for another. */
const similarLanguages = [
  "no nb nn da sv",
  "es pt ca gl",
  "cs sk",
  "hr sr bs sl mk bg",
  "ru uk be bg",
  "ms id",
  "nl af de lb",
  "hi mr ne",
  "fi et",
  "az tr",
].map((group) => group.split(" "));

const areSimilar = (a: string, b: string): boolean =>
  a === b || similarLanguages.some((group) => group.includes(a) && group.includes(b));

/** Texts in a language that is not the shop's, where the detector is sure and it is no near relation. Never sure. */
export const isWrongLanguage: ItemRule<"wrong_language"> = (
  { fields, detected },
  { languages },
  { languages: more = [] },
) => {
  const expected = [...languages, ...more];
  if (detected === null || expected.length === 0 || expected.some((language) => areSimilar(language, detected)))
    return false;
  const contentFields = fields.filter(({ name }) => name !== "author");
  return contentFields.reduce((sum, { text }) => sum + countLetters(text), 0) >= MIN_LETTERS;
};
