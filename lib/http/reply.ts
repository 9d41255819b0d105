/** JSON that is already text (or bytes): passed through as it is. */
export class RawJson {
  constructor(readonly text: string | Uint8Array<ArrayBuffer>) {}
}

/**
 * A page of rows that are JSON already. They are encoded row by row: in one long text a single character outside
 * Latin-1 (an emoji, a curly quote) would make every character take two bytes, and the page five times as dear.
 */
export function rawPage(rows: readonly string[], next: string | undefined): RawJson {
  const data = rows.map((row, index) => Buffer.from(index === 0 ? row : `,${row}`));
  const end = Buffer.from(`],"links":${JSON.stringify({ next })}}`);
  return new RawJson(Buffer.concat([Buffer.from('{"data":['), ...data, end]));
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
