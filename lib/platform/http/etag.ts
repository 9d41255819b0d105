import { createHash } from "node:crypto";

/** A strong ETag of these bytes. */
export const etagOf = (bytes: Uint8Array): string => `"${createHash("sha1").update(bytes).digest("base64url")}"`;

/** Whether `If-None-Match` names this ETag, among others, as a weak one, or by `*`. */
export const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null &&
  (ifNoneMatch === etag ||
    ifNoneMatch.split(",").some((given) => given.trim() === "*" || given.trim().replace(/^W\//, "") === etag));
