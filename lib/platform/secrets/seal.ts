import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { keyById, keyIds, secretKey } from "@/lib/platform/env";

// Text that must be kept for a while and that nobody but this installation may read, under AES-256-GCM, with a key of its
// own for each purpose (`personal-data/1`): a version, the id of the secret that sealed it, a nonce, a tag and the text.
// Version 1 named no secret.

const VERSION = 2;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** Where sealed values are kept, so that they can be sealed anew. Whatever seals into a table declares it. */
export type SealedColumn = {
  table: string;
  /** the columns of its key, all text */
  key: readonly string[];
  column: string;
  /** where the column is JSON: the way to the value in it, in base64 */
  path?: readonly string[];
  purpose: string;
};

/** Seals a text for a purpose, with the present secret. The same text gives another result each time. */
export function seal(purpose: string, text: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretKey(purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([currentHeader(), nonce, cipher.getAuthTag(), sealed]);
}

/** What everything begins with that is sealed now. */
export const currentHeader = (): Buffer => Buffer.from(`0${VERSION}${keyIds().current}`, "hex");

/** The text again. Throws for what this installation did not seal for this purpose, or can no longer open. */
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
      firstError ??= error; // perhaps another secret's
    }
  throw firstError;
}

/** The id of the secret that sealed a value; null where it does not say. */
export const keyIdIn = (sealed: Buffer): string | null =>
  sealed[0] === VERSION && sealed.length > KEY_ID_BYTES ? sealed.subarray(1, 1 + KEY_ID_BYTES).toString("hex") : null;

function decrypt(key: Buffer, sealed: Buffer): string {
  const text = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, text));
  return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]).toString("utf8");
}

/** The text again, or null for what this installation cannot open: the secret that sealed it is not set. */
export function tryUnseal(purpose: string, sealed: Buffer): string | null {
  try {
    return unseal(purpose, sealed);
  } catch {
    return null; // sealed by another secret, or no longer whole: somebody has to enter it again
  }
}
