import type { ItemRule } from "@/lib/moderation/rules/rule-input";
import { countLetters } from "@/lib/moderation/rules/split-words";

/** Too few letters for reliable detection. */
const MIN_LETTERS = 60;

/** Languages so similar that the detector confuses them. */
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

/** Texts not in the store's language, if the detector is sure and the languages aren't similar. Never definite. */
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
