import { createHmac, timingSafeEqual } from "node:crypto";
import { secretKey, signingKeys } from "@/lib/platform/env";

// Tokens of links that grant access: a payload and its MAC as one base64url text. Payloads contain only references and
// keyed hashes, so a link never contains an email address or name.

const MAC_BYTES = 16;

/** Creates a token for `purpose`, which has a version as in `opt-out-link/1`. Parts must not contain line breaks. */
export function signToken(purpose: string, parts: string[]): string {
  const payload = Buffer.from(parts.join("\n"));
  return Buffer.concat([mac(secretKey(purpose), payload), payload]).toString("base64url");
}

/**
 * The signed parts of a token. Null if it's invalid or for another purpose. Signatures of earlier secrets are valid
 * while these are set.
 */
export function readToken(purpose: string, token: string, count: number): string[] | null {
  if (!/^[\w-]{30,1000}$/.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const payload = bytes.subarray(MAC_BYTES);
  if (bytes.length <= MAC_BYTES) return null;
  const given = bytes.subarray(0, MAC_BYTES);
  if (!signingKeys(purpose).some((key) => timingSafeEqual(given, mac(key, payload)))) return null;
  const parts = payload.toString("utf8").split("\n");
  return parts.length === count ? parts : null;
}

const mac = (key: Buffer, payload: Buffer): Buffer =>
  createHmac("sha256", key).update(payload).digest().subarray(0, MAC_BYTES);
