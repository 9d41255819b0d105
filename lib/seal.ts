import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { secretKey } from "@/lib/env";

// Text that must be kept for a while and that nobody but this installation may read: a version, a nonce, a tag and the
// text under AES-256-GCM, with a key of its own for each purpose (`personal-data/1`).

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** Seals a text for a purpose. The same text gives another result each time. */
export function seal(purpose: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secretKey(purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
}

/** The text again. Throws for what this installation did not seal for this purpose. */
export function unseal(purpose: string, sealed: Buffer): string {
  if (sealed[0] !== VERSION) throw new Error(`Sealed in version ${sealed[0]}, which is not known.`);
  const text = 1 + NONCE_BYTES + TAG_BYTES;
  const [nonce, tag] = [sealed.subarray(1, 1 + NONCE_BYTES), sealed.subarray(1 + NONCE_BYTES, text)];
  const decipher = createDecipheriv(CIPHER, secretKey(purpose), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]).toString("utf8");
}

/** The text again, or null for what this installation cannot open: its secret is another than when it was sealed. */
export function unsealed(purpose: string, sealed: Buffer): string | null {
  try {
    return unseal(purpose, sealed);
  } catch {
    return null; // sealed by another key, or no longer whole: somebody has to enter it again
  }
}
