import { randomBytes } from "node:crypto";

/** Id of a review, seller review or question: 16 lower-case hex digits, random. */
export const newReviewId = (): string => randomBytes(8).toString("hex");

/** Upload token, or the secret part of an image address: 32 hex digits. */
export const newUploadToken = (): string => randomBytes(16).toString("hex");

/** Opaque 128-bit token for an address (feedback, invitation): 22 characters base64url. */
export const newToken = (): string => randomBytes(16).toString("base64url");

/** Id of an internal row, with a prefix that tells what it is: `inv_3f…`. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(10).toString("hex")}`;
