import { randomBytes } from "node:crypto";

const STOCK_BYTES = 4_096;
let randomPool = Buffer.alloc(0);

/** Random bytes, each used once. Read from the system in large chunks, since every call is expensive. */
function takeRandomBytes(count: number): Buffer {
  if (randomPool.length < count) randomPool = randomBytes(STOCK_BYTES);
  const bytes = randomPool.subarray(0, count);
  randomPool = randomPool.subarray(count);
  return bytes;
}

/** Id of a review, seller review or question: 16 lower-case hex digits, random. */
export const newReviewId = (): string => takeRandomBytes(8).toString("hex");

/** Upload token, or the secret part of an image URL: 32 hex digits. */
export const newUploadToken = (): string => takeRandomBytes(16).toString("hex");

/** Opaque 128-bit token for a URL (feedback, invitation): 22 base64url characters. */
export const newToken = (): string => takeRandomBytes(16).toString("base64url");

/** Id of an internal row, with a prefix for its type: `inv_3f…`. */
export const newId = (prefix: string): string => `${prefix}_${takeRandomBytes(10).toString("hex")}`;
