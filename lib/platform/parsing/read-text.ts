import type { Reason } from "@/lib/platform/issue";
import { decodeText } from "@/lib/platform/parsing/decode-text";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { MAX_UNPACKED_BYTES, unpackGzip, unpackZip } from "@/lib/platform/parsing/unpack";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";

/** Bytes used to detect the file type. */
const SAMPLE_BYTES = 16_384;

type Bytes = AsyncIterable<Uint8Array>;

export type ReadTextOptions = {
  /** the charset that the server declares */
  charset?: string;
  maxUnpacked?: number;
};

/**
 * The text of a feed file, piece by piece. Detects gzip and ZIP by their first bytes; for encodings see `decodeText`.
 * Invalid text becomes `�` and is counted. Throws AppError `invalid_field` (field `file`) for a file that isn't text.
 */
export async function* readText(
  input: Bytes,
  report: FeedReport,
  { charset, maxUnpacked = MAX_UNPACKED_BYTES }: ReadTextOptions = {},
): AsyncGenerator<string> {
  let bytes = input;
  // Twice at most: a compressed file that the store's server compressed again.
  for (let layer = 0; layer < 2; layer++) {
    const [head, all] = await peek(bytes, 4);
    bytes = all;
    const magic = head.toString("latin1");
    if (magic.startsWith("\x1f\x8b")) bytes = unpackGzip(all, report, maxUnpacked);
    else if (magic === "PK\x03\x04" || magic === "PK\x05\x06") bytes = unpackZip(all, report, maxUnpacked);
    else break;
  }
  const [sample, plain] = await peek(bytes, SAMPLE_BYTES);
  refuseBinary(sample);
  for await (const text of decodeText(plain, sample, report, charset)) if (text !== "") yield text;
}

/** The first `size` bytes (fewer at the end), and the input from its start. */
async function peek(input: Bytes, size: number): Promise<[head: Buffer, all: Bytes]> {
  const iterator = input[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < size && !ended) {
    const next = await iterator.next();
    if (next.done) ended = true;
    else if (next.value.length > 0) {
      seen.push(next.value);
      length += next.value.length;
    }
  }
  const head = Buffer.concat(seen).subarray(0, size);
  async function* all() {
    try {
      yield* seen.splice(0);
      while (!ended) {
        const next = await iterator.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return [head, all()];
}

/** Rejects common binary files by name; other binary files are detected later by their zero bytes. */
function refuseBinary(sample: Buffer): void {
  if (sample.length === 0) throw unreadableFile("file_empty");
  const magic = sample.subarray(0, 8).toString("latin1");
  const kinds: [start: string, reason: Reason][] = [
    ["PK\x03\x04", "zip_within_file"],
    ["\xd0\xcf\x11\xe0", "file_is_excel"],
    ["%PDF", "file_is_pdf"],
    ["\x89PNG", "file_is_image"],
    ["\xff\xd8\xff", "file_is_image"],
    ["GIF8", "file_is_image"],
  ];
  const kind = kinds.find(([start]) => magic.startsWith(start));
  if (kind) throw unreadableFile(kind[1]);
}
