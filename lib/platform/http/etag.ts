import { createHash } from "node:crypto";

/** A strong ETag for these bytes. */
export const etagOf = (bytes: Uint8Array): string => `"${createHash("sha1").update(bytes).digest("base64url")}"`;

/** Whether `If-None-Match` contains this ETag, also as a weak one, or is `*`. */
export const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null &&
  (ifNoneMatch === etag ||
    ifNoneMatch.split(",").some((given) => given.trim() === "*" || given.trim().replace(/^W\//, "") === etag));
