import { createHmac, timingSafeEqual } from "node:crypto";
import { secretKey, signingKeys } from "@/lib/platform/env";

// Tokens of links that let somebody in by themselves: what they are about, and a MAC over it, in one base64url text. They
// hold references and keyed hashes only, so that an address or a name never stands in a link.

const MAC_BYTES = 16;

/** A token for `purpose`, which carries a version as in `opt-out-link/1`. Parts hold no line break. */
export function signToken(purpose: string, parts: string[]): string {
  const payload = Buffer.from(parts.join("\n"));
  return Buffer.concat([mac(secretKey(purpose), payload), payload]).toString("base64url");
}

/**
 * The parts that were signed for this purpose, or null for anything that this service did not write. What an earlier secret
 * signed counts as long as that is set.
 */
export function readToken(purpose: string, token: string, count: number): string[] | null {
  if (!/^[\w-]{30,1000}$/.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const about = bytes.subarray(MAC_BYTES);
  if (bytes.length <= MAC_BYTES) return null;
  const given = bytes.subarray(0, MAC_BYTES);
  if (!signingKeys(purpose).some((key) => timingSafeEqual(given, mac(key, about)))) return null;
  const parts = about.toString("utf8").split("\n");
  return parts.length === count ? parts : null;
}

const mac = (key: Buffer, about: Buffer): Buffer =>
  createHmac("sha256", key).update(about).digest().subarray(0, MAC_BYTES);
