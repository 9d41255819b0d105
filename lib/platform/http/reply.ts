/** JSON that is already text (or bytes): passed through as it is. */
export class RawJson {
  constructor(readonly text: string | Uint8Array<ArrayBuffer>) {}
}

/** The most bytes that a character of a string takes in UTF-8 (one outside the basic plane counts as two of three). */
const MAX_BYTES_PER_CHARACTER = 3;
/** Where pages are written before their length is known: room for a thousand reviews of a usual length. */
const sharedBuffer = Buffer.allocUnsafeSlow(4 * 1024 * 1024);

/**
 * A page of rows that are JSON already, each the text that is kept and what completes it. They are written piece by
 * piece into one buffer: joined to one long text first, a single character outside Latin-1 (an emoji, a curly quote)
 * would make every character take two bytes, and the page five times as dear.
 */
export function rawPage(rows: readonly (readonly [kept: string, rest: string])[], next: string | undefined): RawJson {
  const pieces = ['{"data":['];
  for (const [index, [kept, rest]] of rows.entries()) pieces.push(kept, index < rows.length - 1 ? `${rest},` : rest);
  pieces.push(`],"links":${JSON.stringify({ next })}}`);
  let most = 0;
  for (const piece of pieces) most += MAX_BYTES_PER_CHARACTER * piece.length;
  const page =
    most <= sharedBuffer.length
      ? sharedBuffer
      : Buffer.allocUnsafe(pieces.reduce((sum, p) => sum + Buffer.byteLength(p), 0));
  let at = 0;
  for (const piece of pieces) at += page.write(piece, at);
  return new RawJson(page === sharedBuffer ? Buffer.from(sharedBuffer.subarray(0, at)) : page);
}

/** Bytes that are written while they are sent: what no memory should hold whole. Ended early when the caller leaves. */
export class Streamed {
  constructor(readonly bytes: ReadableStream<Uint8Array>) {}
}

/** Text that is made piece by piece, as bytes: the next piece is made when somebody reads, and none when nobody does. */
export function bytesOf(text: AsyncGenerator<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await text.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await text.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** An answer with another status or more headers than the contract's plain success. */
export class Reply<T = unknown> {
  constructor(
    readonly body: T | RawJson | Streamed | undefined,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** What a handler may return for an answer of shape `T`. */
export type HandlerResult<T> = T | RawJson | Reply<T>;
