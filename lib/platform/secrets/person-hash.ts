import { hash } from "node:crypto";
import { keyById, lastingKey } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";

const PURPOSE = "person/1";
type Kind = "customer" | "email" | "address" | "order" | "contact" | "receipt";

/** An e-mail address as it is compared: trimmed, NFC, lower-case. Stored addresses stay as given. */
export const emailKey = (email: string): string => email.trim().normalize("NFC").toLowerCase();

/**
 * A person by keyed hash, for what must outlive an erasure (suppression, running quarantine, orders that a shop may tell
 * of again): of a customer id, of an e-mail address (any spelling; `address`: one that was found by its customer), of an order's
 * number, or of another system's contact or receipt. 32 base64url characters; different per client, so that lists cannot be compared.
 */
export const personHash = (clientId: string, kind: Kind, value: string): string =>
  hmac(
    perProcess("person-key", () => padded(lastingKey(PURPOSE))),
    clientId,
    kind,
    value,
  );

/** The same as the secret with this id makes it, to tell which one made a hash; null where no such secret is set. */
export function personHashWith(keyId: string, clientId: string, kind: Kind, value: string): string | null {
  const key = keyById(keyId, PURPOSE);
  return key && hmac(padded(key), clientId, kind, value);
}

function hmac({ inner, outer }: { inner: Buffer; outer: Buffer }, clientId: string, kind: Kind, value: string) {
  const person = kind === "email" || kind === "address" ? emailKey(value) : value;
  const innerHash = hash(
    "sha256",
    Buffer.concat([inner, Buffer.from(JSON.stringify([clientId, kind, person]))]),
    "buffer",
  );
  return hash("sha256", Buffer.concat([outer, innerHash]), "base64url").slice(0, 32);
}

// HMAC-SHA256 (RFC 2104) by two digests of one call each: every posted order needs two of them, and `createHmac`, which
// prepares its key each time, costs four times as much.
const padded = (key: Buffer): { inner: Buffer; outer: Buffer } => {
  const pad = (value: number) => Buffer.alloc(64, value).map((byte, index) => byte ^ (key[index] ?? 0)) as Buffer;
  return { inner: pad(0x36), outer: pad(0x5c) };
};
