import { isUtf8 } from "node:buffer";
import { createGunzip } from "node:zlib";
import { AppError } from "@/lib/errors";
import type { FeedReport } from "@/lib/feeds/report";

/** How much of the beginning is looked at to tell the encoding. */
const SAMPLE_BYTES = 16_384;
/** Compressed bytes unpacked at a time: at most a thousand times as many come out, and those are held in memory. */
const GZIP_STEP = 4_096;
/** What a packed file may unpack to: more than any shop sells, and an end to a file that was made to have none. */
const MOST_UNPACKED = 32 * 1024 ** 3;

type Bytes = AsyncIterable<Uint8Array>;

/**
 * The text of a feed file, piece by piece, whatever it was packed and encoded in: gzip is known by its first bytes, the
 * encoding by a byte-order mark, the XML declaration or the look of the bytes. What is no text becomes `�` and is
 * counted. Throws AppError `invalid_field` (field `file`) for a file that is no text at all.
 */
export async function* readText(input: Bytes, report: FeedReport): AsyncGenerator<string> {
  let bytes = input;
  // Twice at most: a packed file that the shop's server packed again for the way.
  for (let layer = 0; layer < 2; layer++) {
    const [head, all] = await peek(bytes, 2);
    bytes = all;
    if (head[0] !== 0x1f || head[1] !== 0x8b) break;
    bytes = unpack(all, report);
  }
  const [sample, plain] = await peek(bytes, SAMPLE_BYTES);
  refuseBinary(sample);
  const encoding = findEncoding(sample, report);
  const decoder = new TextDecoder(encoding);
  for await (const chunk of plain) {
    const text = countReplaced(decoder.decode(chunk, { stream: true }), report);
    if (text) yield text;
  }
  const rest = countReplaced(decoder.decode(), report);
  if (rest) yield rest;
}

/** The first `size` bytes (fewer when there are no more), and the input from its beginning again. */
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

/**
 * Unpacks gzip a little at a time. A packed file that is damaged or cut off gives what can be unpacked of it. Throws
 * `invalid_field` (field `file`) for one that unpacks to more than `most` bytes.
 */
export async function* unpack(
  input: Bytes,
  report: FeedReport,
  most: number = MOST_UNPACKED,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let out: Buffer[] = [];
  let fault: Error | null = null;
  let given = false;
  let bytes = 0;
  let wake = () => {};
  gunzip.on("data", (piece: Buffer) => out.push(piece));
  gunzip.on("error", (error) => {
    fault = error;
    wake();
  });
  const settled = (step: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      step(resolve);
    });
  const taken = () => {
    const pieces = out;
    out = [];
    given ||= pieces.length > 0;
    for (const piece of pieces) bytes += piece.length;
    if (bytes > most) throw unreadable(`The file unpacks to more than ${most} bytes.`);
    return pieces;
  };
  try {
    for await (const chunk of input) {
      for (let from = 0; from < chunk.length && !fault; from += GZIP_STEP) {
        await settled((done) => gunzip.write(chunk.subarray(from, from + GZIP_STEP), () => done()));
        yield* taken();
      }
      if (fault) break;
    }
    if (!fault) await settled((done) => gunzip.once("end", done).end());
    yield* taken();
  } finally {
    gunzip.destroy();
  }
  if (!fault) return;
  if (!given) throw unreadable("The file begins like a gzip file but cannot be unpacked.", fault);
  report.breakOff("The gzip file is damaged or cut off.");
}

/** Files that people upload by mistake, told by name; anything else that is no text is told by its zero bytes later. */
function refuseBinary(sample: Buffer): void {
  if (sample.length === 0) throw unreadable("The file is empty.");
  const magic = sample.subarray(0, 8).toString("latin1");
  const kind = [
    ["PK\x03\x04", "a ZIP archive or an Excel workbook; unpack it, or save it as CSV"],
    ["\xd0\xcf\x11\xe0", "an Excel workbook; save it as CSV"],
    ["%PDF", "a PDF document"],
    ["\x89PNG", "an image"],
    ["\xff\xd8\xff", "an image"],
    ["GIF8", "an image"],
  ].find(([start]) => magic.startsWith(start!));
  if (kind) throw unreadable(`The file is ${kind[1]}.`);
}

function findEncoding(sample: Buffer, report: FeedReport): string {
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return "utf-8";
  if (sample[0] === 0xff && sample[1] === 0xfe) return "utf-16le";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (const [place, byte] of sample.entries()) if (byte === 0) zeros[place % 2]! += 1;
  const half = sample.length / 2;
  if (zeros[1]! > half * 0.3 && zeros[0]! < half * 0.05) return "utf-16le";
  if (zeros[0]! > half * 0.3 && zeros[1]! < half * 0.05) return "utf-16be";

  const high = sample.some((byte) => byte >= 0x80);
  const declared = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    sample.subarray(0, 400).toString("latin1"),
  )?.[1];
  if (declared) {
    const known = encodingNamed(declared);
    // Bytes without zeros are not UTF-16, and Latin letters almost never spell valid UTF-8 by chance.
    const isReally8Bit = known && !known.startsWith("utf-16") && known !== "utf-8" && !(high && isUtf8(whole(sample)));
    if (known === "utf-8" || isReally8Bit) return known;
    report.repair("guessed_encoding", 0);
    return "utf-8";
  }
  if (high && looksLikeLatin(sample)) {
    report.repair("guessed_encoding", 0);
    return "windows-1252";
  }
  return "utf-8";
}

function encodingNamed(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null; // a name nobody knows; the caller reports that the encoding was guessed
  }
}

/** The sample without a character that its end may cut in two. */
function whole(sample: Buffer): Buffer {
  let end = sample.length;
  while (end > 0 && end > sample.length - 4 && sample[end - 1]! >= 0x80) end -= 1;
  return sample.subarray(0, end);
}

/** Several letters beyond ASCII and not one of them in UTF-8: an old Western export, not a UTF-8 file with damage. */
function looksLikeLatin(sample: Buffer): boolean {
  const text = new TextDecoder().decode(whole(sample));
  const replaced = text.split("\uFFFD").length - 1;
  const beyond = text.replace(/[\0-\x7f\uFFFD]/g, "").length;
  return replaced >= 4 && beyond === 0;
}

function countReplaced(text: string, report: FeedReport): string {
  if (text.includes("\uFFFD")) report.repair("invalid_characters", 0, text.split("\uFFFD").length - 1);
  return text;
}

/** A file that cannot be used at all. */
export function unreadable(message: string, cause?: unknown): AppError {
  return new AppError("invalid_field", message, { field: "file", cause });
}
