import { AppError } from "@/lib/platform/errors";

/**
 * Where a pass through a list stands: the order of its rows, the key of the last row, and the moment the pass began.
 * A pass stops at the newest row of that moment, so it ends under steady writing too.
 */
export type Cursor = { order: string; key: readonly string[]; startedAt: string | null };

/** Cursor as it travels: base64url of compact JSON. Opaque to callers. */
export const encodeCursor = ({ order, key, startedAt }: Cursor): string =>
  Buffer.from(JSON.stringify([order, startedAt, ...key])).toString("base64url");

/**
 * Reads `after`. Throws `invalid_cursor` for anything that this service did not write for this very order of rows:
 * wrong alphabet, wrong shape, another list's cursor. `times` names the key parts that are moments.
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

/** JavaScript reads 30 February as 2 March, the database refuses it. */
const isCanonical = (value: string): boolean => {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
};

/** The address of the next page: absolute, with all filters of this one, never with a credential. */
export function nextLink(publicUrl: string, url: URL, cursor: Cursor): string {
  const search = new URLSearchParams(url.search);
  search.delete("token");
  search.set("after", encodeCursor(cursor));
  return `${publicUrl}${url.pathname}?${search}`;
}

/**
 * Cuts a page out of rows, one more than asked for. `last` is the row that the next page begins behind; without it this
 * is the last page. Where rows were sieved, `hit` tells those that the filters let through, and `edge` the last one looked
 * at, behind which others may follow.
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
