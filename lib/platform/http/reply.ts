/** JSON as text or bytes, sent unchanged. */
export class RawJson {
  constructor(readonly text: string | Uint8Array<ArrayBuffer>) {}
}

/** Maximum UTF-8 bytes of one UTF-16 unit (a surrogate pair counts as two units). */
const MAX_BYTES_PER_CHARACTER = 3;
/** Buffer for pages of unknown length: enough for a thousand reviews of usual length. */
const sharedBuffer = Buffer.allocUnsafeSlow(4 * 1024 * 1024);

/**
 * A page of rows that are already JSON: each is the stored text and its completion. Written piece by piece into one
 * buffer: in a joined string, a single character outside Latin-1 (an emoji, a curly quote) would double the size of
 * every character and make the page five times slower.
 */
export function rawPage(rows: readonly (readonly [kept: string, rest: string])[], next: string | undefined): RawJson {
  const pieces = ['{"data":['];
  for (const [index, [stored, rest]] of rows.entries())
    pieces.push(stored, index < rows.length - 1 ? `${rest},` : rest);
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

/** A response body that is streamed because it's too large for memory. Ends early if the caller disconnects. */
export class StreamedBody {
  constructor(readonly bytes: ReadableStream<Uint8Array>) {}
}

/** Encodes generated text as a byte stream. The next piece is generated only when it's read. */
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

/** A response with another status or more headers than the contract's default. */
export class Reply<T = unknown> {
  constructor(
    readonly body: T | RawJson | StreamedBody | undefined,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** What a handler may return for a response of type `T`. */
export type HandlerResult<T> = T | RawJson | Reply<T>;
