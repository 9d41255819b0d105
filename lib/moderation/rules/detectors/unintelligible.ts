import type { FieldRule } from "@/lib/moderation/rules/rule-input";
import { countLetters, splitWords, type Word } from "@/lib/moderation/rules/split-words";

/** Languages in which r and l form syllables: `čtvrt`, `vlk`. */
const syllabic = new Set(["cs", "sk", "hr", "sr", "bs", "sl", "mk"]);

/** Interjections: mmmmm, hmmm, pffft, brrr, grrr, psssst, zzzz; and kisses (xxx). */
const interjection = /^(?:h*m+h*|p+f+t*|[bg]*r+|p*s+[ht]*|z+|x+)$/;

/** Neighboring keys in both directions. Words use the upper row more ("property", "werte") than the others. */
const upper = bothWays(["qwertyuiop", "qwertzuiop"]);
const lower = bothWays(["asdfghjkl", "zxcvbnm"]);

function bothWays(rows: string[]): string[] {
  return rows.flatMap((row) => [row, [...row].reverse().join("")]);
}

/**
 * Unreadable fields: no letter, digit or emoji, one repeated letter, or random keys. Checks only Latin-script words,
 * and flags a field only if most of its letters are affected, so an odd word, a model number or an abbreviation doesn't
 * count. Never definite.
 */
export const findUnintelligible: FieldRule<"unintelligible"> = ({ text }, { detected, lang }) => {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  return start < end && isNoise(text, detected ?? lang) ? [{ start, end, sure: false }] : [];
};

function isNoise(text: string, lang: string | null): boolean {
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}\p{Sc}✓✔♥❤]/u.test(text)) return true;
  const letters = countLetters(text);
  if (letters < 4) return false;
  const noise = splitWords(text)
    .filter((word) => isMash(word, lang))
    .reduce((sum, word) => sum + countLetters(word.text), 0);
  return noise * 2 > letters;
}

function isMash({ text }: Word, lang: string | null): boolean {
  const letters = [...text];
  if (interjection.test(text)) return false;
  // "aaaaaaa" in any script; "hahaha" and "sooooo" are readable.
  if (letters.length >= 6 && new Set(letters).size === 1) return true;
  if (!/^[\p{Script=Latin}]+$/u.test(text) || letters.length < 5) return false;
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
  const vowels = lang && syllabic.has(lang) ? /[aeiouyæøœıłrl]/ : /[aeiouyæøœı]/;
  if (!vowels.test(plain)) return true;
  const keyboardRun = keyRuns(plain, lower, 4) + keyRuns(plain, upper, 5);
  if (keyboardRun >= plain.length * 0.6 || keyRuns(plain, lower, 3) >= plain.length * 0.9) return true;
  if (lang && syllabic.has(lang)) return false;
  // "Angstschweiß" has eight consonants in a row; no word of these languages has nine, or two runs of six.
  const clusters = plain.match(/[^aeiouyæøœı]{6,}/g) ?? [];
  return clusters.length > 1 || clusters.some((cluster) => cluster.length >= 9);
}

/** Counts the letters of a word in runs of at least `minLength` neighboring keys. */
function keyRuns(word: string, rows: readonly string[], minLength: number): number {
  let covered = 0;
  for (let at = 0; at + minLength <= word.length; ) {
    let length = 0;
    for (const row of rows) {
      const place = row.indexOf(word.slice(at, at + minLength));
      if (place < 0) continue;
      let same = minLength;
      while (at + same < word.length && row[place + same] === word[at + same]) same += 1;
      length = Math.max(length, same);
    }
    covered += length;
    at += Math.max(1, length);
  }
  return covered;
}
