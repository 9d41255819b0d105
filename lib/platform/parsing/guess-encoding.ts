import chardet from "chardet";
import iconv from "iconv-lite";

/** Tried after the detector's candidates, which are all Western if there are few letters. */
const COMMON_ENCODINGS = [
  "windows-1250",
  "ISO-8859-2",
  "windows-1251",
  "Shift_JIS",
  "EUC-JP",
  "EUC-KR",
  "GB18030",
  "Big5",
];
/** Maximum share of odd-looking words. */
const MAX_ODD_SHARE = 0.1;

const WESTERN = ["ISO-8859-1", "windows-1252"];
/** Ğ İ Ş ğ ı ş, which are Icelandic in Western encodings. */
const TURKISH = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Western encodings are preferred with at least this share of the best candidate's confidence. */
const MIN_RELATIVE_CONFIDENCE = 0.7;

/** No byte below 0x40 is part of a multibyte character in these encodings. */
const WORD = /[^\s\0-&(-,./:-?]+/g;
const NON_ASCII = /[^\0-\x7f]/;
/** Patterns that occur in no language: signs of text decoded in the wrong encoding. */
const odd = [
  /[\ufffd\u0080-\u009f\uff61-\uff9f\p{Co}\p{Cn}¤]/u,
  /[¢£¥¦¨¬¯±²³¶·¸¹¼½¾×÷ƒˆ˜†‡‰˝˛˘ˇ˙]\p{L}/u,
  /\p{L}[‘“‹„‚‰†‡]/u,
  /[‚„…†‡ˆ‰‹‘“•˜][^\0-\x7f\p{L}]/u,
  /[À-ɏ]{4}/u,
  /(?=\p{Ll}\p{Lu}).?[^\0-\x7f]/u,
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Latin}][^\0-\x7f\p{L}\p{M}\p{P}\s®™©°´ªº²³]/u,
];

/**
 * Guesses the encoding of non-UTF-8 bytes: the detector's best candidate in which words look plausible. With few
 * letters the detector judges by the surrounding ASCII and suggests only Western encodings, so others are tried too.
 */
export function guessEncoding(bytes: Uint8Array): string {
  let best = { encoding: "windows-1252", odd: Number.POSITIVE_INFINITY };
  for (const encoding of candidates(bytes)) {
    const share = oddShare(iconv.decode(bytes, encoding));
    if (share <= MAX_ODD_SHARE) return encoding === "windows-1252" ? westernOf(bytes, share) : encoding;
    if (share < best.odd) best = { encoding, odd: share };
  }
  return best.encoding;
}

/** Whether bytes may have the declared encoding: most words look plausible. */
export const fitsEncoding = (bytes: Uint8Array, encoding: string): boolean =>
  oddShare(iconv.decode(bytes, encoding)) <= 0.5;

/**
 * windows-1252, or ISO-8859-15 if fewer words then contain symbols instead of letters (`c½ur`) or `¤` instead of the
 * euro sign.
 */
function westernOf(bytes: Uint8Array, share: number): string {
  return oddShare(iconv.decode(bytes, "ISO-8859-15")) < share ? "ISO-8859-15" : "windows-1252";
}

function candidates(bytes: Uint8Array): Set<string> {
  // Turkish differs in six letters; without them it counts as Western. ISO-8859-1 is nearly always windows-1252, as on
  // the web; the detector doesn't know ISO-8859-15.
  const western = bytes.some((byte) => TURKISH.has(byte)) ? WESTERN : [...WESTERN, "ISO-8859-9", "windows-1254"];
  const found = chardet.analyse(bytes);
  const names = new Set<string>();
  const likely = found.find(({ name }) => western.includes(name))?.confidence ?? 0;
  if (likely >= (found[0]?.confidence ?? 0) * MIN_RELATIVE_CONFIDENCE) names.add("windows-1252").add("ISO-8859-15");
  for (const { name } of found) {
    if (western.includes(name)) names.add("windows-1252").add("ISO-8859-15");
    else if (!/^(?:UTF|ASCII|ISO-2022)/i.test(name) && iconv.encodingExists(name)) names.add(name);
  }
  for (const name of COMMON_ENCODINGS) names.add(name);
  return names;
}

function oddShare(text: string): number {
  const words = (text.match(WORD) ?? []).filter((word) => NON_ASCII.test(word));
  return words.filter((word) => odd.some((pattern) => pattern.test(word))).length / Math.max(1, words.length);
}
