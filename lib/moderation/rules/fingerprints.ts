import { createHash, createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import { normalizeText } from "@/lib/moderation/rules/split-words";
import { networkOf } from "@/lib/platform/http/address";

// Prints: short numbers by which the database finds items that have something in common, with one look at an index each,
// however many items there are. Texts that are much alike share some of their eight prints (MinHash over stretches of
// five characters, in eight bands of four), items of one author, network or product share one.

const BANDS = 8;
const ROWS = 4;
const SHINGLE_LENGTH = 5;
/** Shorter texts ("Very good product") are alike by nature. */
export const MIN_CHARACTERS = 60;

/** The text as it is compared: letters and digits, one blank between words. */
const plain = (text: string): string =>
  normalizeText(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** All stretches of five characters of a text, as 32-bit numbers. */
export function shinglesOf(text: string): Set<number> {
  const letters = [...plain(text)].map((letter) => letter.codePointAt(0) as number);
  const stretches = new Set<number>();
  for (let at = 0; at + SHINGLE_LENGTH <= letters.length; at += 1) {
    let hash = 0x811c9dc5;
    for (let place = at; place < at + SHINGLE_LENGTH; place += 1) {
      hash = Math.imul(hash ^ (letters[place] as number), 0x01000193);
    }
    stretches.add(mix(hash));
  }
  return stretches;
}

/** The share of stretches that two texts have in common (Jaccard), 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const stretch of a) if (b.has(stretch)) common += 1;
  return common / (a.size + b.size - common);
}

/** The prints of a text, as 64-bit integers in decimal; none of a short one. */
export function textFingerprints(text: string): string[] {
  if (plain(text).length < MIN_CHARACTERS) return [];
  const minHashes = new Uint32Array(BANDS * ROWS).fill(0xffffffff);
  for (const stretch of shinglesOf(text)) {
    for (let row = 0; row < minHashes.length; row += 1) {
      const hash = mix(stretch ^ Math.imul(row + 1, 0x9e3779b1));
      if (hash < (minHashes[row] as number)) minHashes[row] = hash;
    }
  }
  return Array.from({ length: BANDS }, (_, band) =>
    toFingerprint(
      createHash("sha256")
        .update(`text ${band} ${minHashes.slice(band * ROWS, (band + 1) * ROWS).join(" ")}`)
        .digest(),
    ),
  );
}

/** The print of who sent an item or what it is about, keyed since there are few enough addresses to try them all. */
export const keyedFingerprint = (key: Buffer, what: "author" | "network" | "product", value: string): string =>
  toFingerprint(createHmac("sha256", key).update(`${what} ${value}`).digest());

/** The network that neighbours share: 256 addresses of IPv4, a /64 of IPv6. Null for what is no address, or no public one. */
export const publicNetworkOf = (address: string | null): string | null =>
  address !== null && ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"
    ? networkOf(address, 24)
    : null;

const toFingerprint = (digest: Buffer): string => digest.readBigInt64BE(0).toString();

/** Spreads the bits of a 32-bit number (the finaliser of MurmurHash3). */
function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
