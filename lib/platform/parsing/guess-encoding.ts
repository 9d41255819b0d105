import chardet from "chardet";
import iconv from "iconv-lite";

/** Tried after the detector's own candidates: with a handful of letters it knows of no others than Western ones. */
const COMMON = ["windows-1250", "ISO-8859-2", "windows-1251", "Shift_JIS", "EUC-JP", "EUC-KR", "GB18030", "Big5"];
/** Share of words with an odd look that a text may have. */
const MAX_ODD_SHARE = 0.1;

const WESTERN = ["ISO-8859-1", "windows-1252"];
/** Ğ İ Ş ğ ı ş, which are Icelandic in Western encodings. */
const TURKISH = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Of the best candidate's confidence: where Western letters have so much, they are meant. */
const MIN_RELATIVE_CONFIDENCE = 0.7;

/** No byte below 0x40 is half of a character in any of these encodings. */
const WORD = /[^\s\0-&(-,./:-?]+/g;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** What no word of any language has: the look of a text that was decoded as something else. */
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
 * The encoding of bytes that are no UTF-8: the detector's best candidate in which the words look like words. With few
 * letters it goes by the ASCII around them and calls everything Western, so its other candidates are looked at too.
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

/** Whether bytes may be what their file says: most words look like words then. */
export const fitsEncoding = (bytes: Uint8Array, encoding: string): boolean =>
  oddShare(iconv.decode(bytes, encoding)) <= 0.5;

/** Windows-1252, or ISO-8859-15 where that has no letter among the signs (`c½ur`) and a euro for a `¤`. */
function westernOf(bytes: Uint8Array, share: number): string {
  return oddShare(iconv.decode(bytes, "ISO-8859-15")) < share ? "ISO-8859-15" : "windows-1252";
}

function candidates(bytes: Uint8Array): Set<string> {
  // Turkish differs in six letters; without one of them it is as Western as the rest. ISO-8859-1 is windows-1252 nearly
  // always, as on the web; ISO-8859-15 is what the detector does not know.
  const western = bytes.some((byte) => TURKISH.has(byte)) ? WESTERN : [...WESTERN, "ISO-8859-9", "windows-1254"];
  const found = chardet.analyse(bytes);
  const names = new Set<string>();
  const likely = found.find(({ name }) => western.includes(name))?.confidence ?? 0;
  if (likely >= (found[0]?.confidence ?? 0) * MIN_RELATIVE_CONFIDENCE) names.add("windows-1252").add("ISO-8859-15");
  for (const { name } of found) {
    if (western.includes(name)) names.add("windows-1252").add("ISO-8859-15");
    else if (!/^(?:UTF|ASCII|ISO-2022)/i.test(name) && iconv.encodingExists(name)) names.add(name);
  }
  for (const name of COMMON) names.add(name);
  return names;
}

function oddShare(text: string): number {
  const words = (text.match(WORD) ?? []).filter((word) => BEYOND_ASCII.test(word));
  return words.filter((word) => odd.some((look) => look.test(word))).length / Math.max(1, words.length);
}
