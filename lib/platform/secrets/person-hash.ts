import { hash } from "node:crypto";
import { keyById, lastingKey } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";

const PURPOSE = "person/1";
type Kind = "customer" | "email" | "address" | "order" | "contact" | "receipt";

/** A normalized email address for comparison: trimmed, NFC, lowercase. Stored addresses stay as given. */
export const emailKey = (email: string): string => email.trim().normalize("NFC").toLowerCase();

/**
 * A keyed hash that identifies a person in data that outlives an erasure (suppression, cooldown, orders that a store
 * may send again): of a customer id, an email address (any spelling; `address`: one found by its customer), an order
 * number, or another system's contact or receipt. 32 base64url characters; different per client, so that lists can't be
 * compared.
 */
export const personHash = (clientId: string, kind: Kind, value: string): string =>
  hmac(
    perProcess("person-key", () => padded(lastingKey(PURPOSE))),
    clientId,
    kind,
    value,
  );

/** The hash made with the secret of that id, to find out which secret made a hash. Null if no such secret is set. */
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

// HMAC-SHA256 (RFC 2104) as two one-call digests: every order needs two hashes, and `createHmac`, which prepares its
// key each time, is four times slower.
const padded = (key: Buffer): { inner: Buffer; outer: Buffer } => {
  const pad = (value: number) => Buffer.alloc(64, value).map((byte, index) => byte ^ (key[index] ?? 0)) as Buffer;
  return { inner: pad(0x36), outer: pad(0x5c) };
};
