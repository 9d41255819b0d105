/** JSON that is already text (or bytes): passed through as it is. */
export class RawJson {
  constructor(readonly text: string | Uint8Array<ArrayBuffer>) {}
}

/** The most bytes that a character of a string takes in UTF-8 (one outside the basic plane counts as two of three). */
const WIDEST = 3;

/**
 * A page of rows that are JSON already, each the text that is kept and what completes it. They are written piece by
 * piece into one buffer: joined to one long text first, a single character outside Latin-1 (an emoji, a curly quote)
 * would make every character take two bytes, and the page five times as dear.
 */
export function rawPage(rows: readonly (readonly [kept: string, rest: string])[], next: string | undefined): RawJson {
  const start = '{"data":[';
  const end = `],"links":${JSON.stringify({ next })}}`;
  let most = start.length + WIDEST * end.length;
  for (const [kept, rest] of rows) most += 1 + WIDEST * (kept.length + rest.length);
  const page = Buffer.allocUnsafe(most);
  let at = page.write(start);
  for (const [index, [kept, rest]] of rows.entries()) {
    if (index > 0) at += page.write(",", at);
    at += page.write(kept, at);
    at += page.write(rest, at);
  }
  at += page.write(end, at);
  return new RawJson(page.subarray(0, at));
}

/** An answer with another status or more headers than the contract's plain success. */
export class Reply<T = unknown> {
  constructor(
    readonly body: T | RawJson | undefined,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** What a handler may return for an answer of shape `T`. */
export type Returned<T> = T | RawJson | Reply<T>;
