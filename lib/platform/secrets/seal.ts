import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { keyById, keyIds, secretKey } from "@/lib/platform/env";

// Encrypts stored text that only this installation may read: AES-256-GCM with a key per purpose (`personal-data/1`).
// Format: version, id of the secret, nonce, tag, text. Version 1 had no secret id.

const VERSION = 2;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** A column with encrypted values, so that they can be encrypted again. Code that encrypts into a table declares it. */
export type SealedColumn = {
  table: string;
  /** columns of the table's key, all text */
  key: readonly string[];
  column: string;
  /** for a JSON column: path to the value, in base64 */
  path?: readonly string[];
  purpose: string;
};

/** Encrypts a text for a purpose with the current secret. The result differs each time. */
export function seal(purpose: string, text: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretKey(purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([currentHeader(), nonce, cipher.getAuthTag(), sealed]);
}

/** The first bytes of every newly encrypted value. */
export const currentHeader = (): Buffer => Buffer.from(`0${VERSION}${keyIds().current}`, "hex");

/** Decrypts a text. Throws if this installation didn't encrypt it for this purpose, or its secret isn't set. */
export function unseal(purpose: string, sealed: Buffer): string {
  if (sealed[0] === VERSION) {
    const id = keyIdIn(sealed) ?? "";
    const key = keyById(id, purpose);
    if (!key) throw new Error(`Encrypted with secret ${id}, which is not set.`);
    return decrypt(key, sealed.subarray(1 + KEY_ID_BYTES));
  }
  if (sealed[0] !== 1) throw new Error(`Encrypted in unknown version ${sealed[0]}.`);
  let firstError: unknown;
  for (const id of keyIds().all)
    try {
      return decrypt(keyById(id, purpose) as Buffer, sealed.subarray(1));
    } catch (error) {
      firstError ??= error; // may be from another secret
    }
  throw firstError;
}

/** The id of the secret that encrypted a value. Null in version 1. */
export const keyIdIn = (sealed: Buffer): string | null =>
  sealed[0] === VERSION && sealed.length > KEY_ID_BYTES ? sealed.subarray(1, 1 + KEY_ID_BYTES).toString("hex") : null;

function decrypt(key: Buffer, sealed: Buffer): string {
  const text = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, text));
  return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]).toString("utf8");
}

/** Decrypts a text. Null if it can't be decrypted: its secret isn't set. */
export function tryUnseal(purpose: string, sealed: Buffer): string | null {
  try {
    return unseal(purpose, sealed);
  } catch {
    return null; // encrypted with another secret, or damaged: it has to be entered again
  }
}
