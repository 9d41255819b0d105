import { createHash, createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import { normalizeText } from "@/lib/moderation/rules/split-words";
import { networkOf } from "@/lib/platform/http/address";

// Fingerprints: numbers by which the database finds related items with one index lookup each. Similar texts share some
// of their eight fingerprints (MinHash over 5-character shingles, eight bands of four); items of one author, network or
// product share one.

const BANDS = 8;
const ROWS = 4;
const SHINGLE_LENGTH = 5;
/** Shorter texts ("Very good product") are naturally similar. */
export const MIN_CHARACTERS = 60;

/** The normalized text for comparison: letters and digits, with single spaces between words. */
const plain = (text: string): string =>
  normalizeText(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** All 5-character shingles of a text, as 32-bit numbers. */
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

/** The share of shingles two texts have in common (Jaccard), 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const stretch of a) if (b.has(stretch)) common += 1;
  return common / (a.size + b.size - common);
}

/** A text's fingerprints, as 64-bit integers in decimal; none for short texts. */
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

/** The fingerprint of a sender or product. Keyed, because addresses are few enough to try them all. */
export const keyedFingerprint = (key: Buffer, what: "author" | "network" | "product", value: string): string =>
  toFingerprint(createHmac("sha256", key).update(`${what} ${value}`).digest());

/** An address's network: 256 addresses in IPv4, a /64 in IPv6. Null if it is invalid or not public. */
export const publicNetworkOf = (address: string | null): string | null =>
  address !== null && ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"
    ? networkOf(address, 24)
    : null;

const toFingerprint = (digest: Buffer): string => digest.readBigInt64BE(0).toString();

/** Mixes the bits of a 32-bit number (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
