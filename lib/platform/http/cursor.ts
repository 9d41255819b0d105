import { AppError } from "@/lib/platform/errors";

/**
 * Position in a list: the order of its rows, the key of the last row, and the time of the first page. Paging stops at
 * the newest row of that time, so it ends even under constant writes.
 */
export type Cursor = { order: string; key: readonly string[]; startedAt: string | null };

/** Encodes a cursor: base64url of compact JSON. Opaque to callers. */
export const encodeCursor = ({ order, key, startedAt }: Cursor): string =>
  Buffer.from(JSON.stringify([order, startedAt, ...key])).toString("base64url");

/**
 * Decodes `after`. Throws `invalid_cursor` for anything that this service didn't encode for the same order: invalid
 * characters, wrong shape, another list's cursor. `parts` gives the type of each key part.
 */
export function decodeCursor(after: string, order: string, parts: readonly ("time" | "text")[]): Cursor {
  const refuse = (cause?: unknown) =>
    new AppError("invalid_cursor", { reason: "invalid_cursor", field: "after", cause });
  if (!/^[\w-]{1,2000}$/.test(after)) throw refuse();
  const json = Buffer.from(after, "base64url").toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw refuse(cause);
  }
  if (!Array.isArray(value) || value.length !== parts.length + 2 || encodeArray(value) !== after) throw refuse();
  const [found, startedAt, ...key] = value;
  const fits = key.every(
    (part, index) => typeof part === "string" && !part.includes("\0") && (parts[index] === "text" || isMoment(part)),
  );
  if (found !== order || !fits || !(startedAt === null || isMoment(startedAt))) throw refuse();
  return { order, key: key as string[], startedAt };
}

const encodeArray = (value: unknown[]): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && isCanonical(value);

/** JavaScript reads 30 February as 2 March; PostgreSQL rejects it. */
const isCanonical = (value: string): boolean => {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
};

/** The absolute URL of the next page, with all filters and without credentials. */
export function nextLink(publicUrl: string, url: URL, cursor: Cursor): string {
  const search = new URLSearchParams(url.search);
  search.delete("token");
  search.set("after", encodeCursor(cursor));
  return `${publicUrl}${url.pathname}?${search}`;
}

/**
 * Cuts a page out of rows, of which one more than `limit` was requested. The next page starts after `last`; undefined
 * on the last page. If rows were filtered, `hit` selects those that match, and `edge` the last scanned one, after which
 * more may follow.
 */
export function cutPage<R>(
  rows: readonly R[],
  limit: number,
  { hit = () => true, edge = () => false }: { hit?: (row: R) => boolean; edge?: (row: R) => boolean } = {},
): { shown: R[]; last: R | undefined } {
  const hits = rows.filter(hit);
  return hits.length > limit
    ? { shown: hits.slice(0, limit), last: hits[limit - 1] }
    : { shown: hits, last: rows.findLast(edge) };
}
