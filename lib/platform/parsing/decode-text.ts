import { isAscii, isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { fitsEncoding, guessEncoding } from "@/lib/platform/parsing/guess-encoding";
import type { FeedReport } from "@/lib/platform/parsing/report";

/** Bytes used to detect an encoding, from the first one beyond ASCII. */
const WINDOW = 32_768;

type Bytes = AsyncIterable<Uint8Array>;

/**
 * The text of a file. Detects UTF-16 by byte-order mark or zero bytes, UTF-8 by its bytes; otherwise uses the XML
 * declaration or `charset` if it fits, else guesses. Decides at the first non-ASCII byte, wherever it is. Invalid bytes
 * within UTF-8 are decoded in their likely encoding; only a truncated character becomes `�`. The report has the
 * encoding.
 */
export async function* decodeText(
  input: Bytes,
  sample: Buffer,
  report: FeedReport,
  charset?: string,
): AsyncGenerator<string> {
  const wide = utf16Of(sample);
  if (wide) {
    report.encoding = wide;
    const decoder = new TextDecoder(wide);
    for await (const chunk of input) yield countReplaced(decoder.decode(chunk, { stream: true }), report);
    yield countReplaced(decoder.decode(), report);
    return;
  }
  report.encoding = "UTF-8";
  const reader = new Reader(input);
  try {
    yield* eightBit(reader, sample, report, charset);
  } finally {
    await reader.close();
  }
}

async function* eightBit(
  reader: Reader,
  sample: Buffer,
  report: FeedReport,
  charset: string | undefined,
): AsyncGenerator<string> {
  if (sample.subarray(0, 3).toString("latin1") === "\xef\xbb\xbf") await reader.skip(3);
  const inFile = declaredIn(sample);
  const declared = [inFile, charset].map(knownEncoding).find((name) => name !== null && name !== "UTF-8") ?? null;
  if (inFile && knownEncoding(inFile) === null) report.repair("guessed_encoding", 0);

  yield* ascii(reader);
  const window = await reader.peek(WINDOW);
  if (window.length === 0) return;
  const { valid, invalid } = countSequences(window);
  if (valid < invalid) {
    const encoding = encodingOf(window, declared);
    if (encoding !== declared) report.repair("guessed_encoding", 0);
    report.encoding = encoding;
    const decoder = iconv.getDecoder(encoding);
    for (let chunk = await reader.next(); chunk; chunk = await reader.next())
      yield countReplaced(decoder.write(chunk), report);
    yield countReplaced(decoder.end() ?? "", report);
    return;
  }
  if (declared && knownEncoding(inFile) === declared) report.repair("guessed_encoding", 0);
  yield* utf8(reader, declared, report);
}

async function* ascii(reader: Reader): AsyncGenerator<string> {
  for (let chunk = await reader.next(); chunk; chunk = await reader.next()) {
    const end = isAscii(chunk) ? chunk.length : chunk.findIndex((byte) => byte >= 0x80);
    yield chunk.toString("latin1", 0, end);
    if (end === chunk.length) continue;
    reader.unread(chunk.subarray(end));
    return;
  }
}

/** Decodes UTF-8; from the first invalid byte on, invalid bytes are decoded as letters of another encoding. */
async function* utf8(reader: Reader, declared: string | null, report: FeedReport): AsyncGenerator<string> {
  let other: string[] | null = null;
  let rest: Buffer = Buffer.alloc(0);
  for (let ended = false; !ended; ) {
    const chunk: Buffer | null = await reader.next();
    ended = chunk === null;
    const bytes: Buffer = chunk ? Buffer.concat([rest, chunk]) : rest;
    const end: number = ended ? bytes.length : completeEnd(bytes);
    if (isUtf8(bytes.subarray(0, end))) {
      rest = bytes.subarray(end);
      yield countReplaced(bytes.toString("utf8", 0, end), report);
      continue;
    }
    const { text, used, broken }: Mixed = readMixed(bytes, other, ended);
    yield countReplaced(text, report);
    rest = bytes.subarray(used);
    if (!broken) continue;
    reader.unread(rest);
    rest = Buffer.alloc(0);
    ended = false;
    const encoding = singleByte(encodingOf(brokenLines(await reader.peek(WINDOW)), declared));
    other = Array.from({ length: 256 }, (_, byte) => iconv.decode(Buffer.of(byte), encoding));
    report.encoding = `UTF-8, ${encoding}`;
    report.repair("guessed_encoding", 0);
  }
}

/** Start of an incomplete character at the end, or the end. */
function completeEnd(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--)
    if (bytes[at]! >= 0xc0) return sequenceAt(bytes, at, false) === 0 ? at : bytes.length;
  return bytes.length;
}

/** `used`: number of decoded bytes; `broken`: whether it stopped at a byte that needs another encoding. */
type Mixed = { text: string; used: number; broken: boolean };

function readMixed(bytes: Buffer, other: string[] | null, ended: boolean): Mixed {
  let text = "";
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceAt(bytes, at, ended);
    if (length > 0) {
      at += length;
      continue;
    }
    const next = bytes[at - length];
    if (length === 0 || (next === undefined && !ended)) break; // incomplete: wait for more bytes
    text += bytes.toString("utf8", from, at);
    from = at;
    if (isCut(bytes[at]!, -length, next)) {
      text += "\uFFFD";
      at -= length;
    } else {
      if (!other) return { text, used: at, broken: true };
      text += other[bytes[at]!];
      at += 1;
    }
    from = at;
  }
  return { text: text + bytes.toString("utf8", from, at), used: at, broken: false };
}

/** Whether these bytes are the start of a truncated character, as in a text cut to a number of bytes. */
function isCut(lead: number, length: number, next: number | undefined): boolean {
  const isLead = lead === 0xc2 || lead === 0xc3 || ((lead === 0xe2 || lead === 0xf0) && length > 1);
  const continues = next !== undefined && (next >= 0x80 || /\w/.test(String.fromCharCode(next)));
  return isLead && !continues;
}

/** Length of the UTF-8 sequence at `at`; negative: number of invalid bytes; zero: more bytes are needed. */
function sequenceAt(bytes: Uint8Array, at: number, ended: boolean): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let more = 1; more < length; more++) {
    const byte = bytes[at + more];
    if (byte === undefined) return ended ? -more : 0;
    if (byte < lowest || byte > highest) return -more;
    [lowest, highest] = [0x80, 0xbf];
  }
  return length;
}

function countSequences(bytes: Uint8Array): { valid: number; invalid: number } {
  const count = { valid: 0, invalid: 0 };
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at, bytes.length < WINDOW);
    if (length === 0) break; // truncated by the end of the window
    if (length > 1) count.valid += 1;
    if (length < 0) count.invalid += 1;
    at += Math.abs(length);
  }
  return count;
}

const encodingOf = (bytes: Uint8Array, declared: string | null): string =>
  declared && fitsEncoding(bytes, declared) ? declared : guessEncoding(bytes);

/** The lines that aren't UTF-8: the others may be in another language. */
function brokenLines(bytes: Buffer): Buffer {
  const lines = bytes.toString("latin1").split(/[\r\n]+/);
  const broken = lines.filter((line) => !isUtf8(Buffer.from(line, "latin1")));
  return Buffer.from(broken.join("\n"), "latin1");
}

const singleByte = (encoding: string): string => (/^(?:shift|euc|gb|big5)/i.test(encoding) ? "windows-1252" : encoding);

function utf16Of(sample: Buffer): "UTF-16LE" | "UTF-16BE" | null {
  if (sample[0] === 0xff && sample[1] === 0xfe) return "UTF-16LE";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "UTF-16BE";
  const zeros = [0, 0];
  let controls = 0;
  for (const [place, byte] of sample.entries()) {
    if (byte === 0) zeros[place % 2]! += 1;
    else if (byte < 0x09 || (byte > 0x0d && byte < 0x20)) controls += 1;
  }
  const [even, odd] = zeros as [number, number];
  const [more, less] = odd > even ? [odd, even] : [even, odd];
  // Latin text has a zero in every other byte. Other scripts have zeros only for punctuation and digits, and then
  // aren't valid 8-bit text.
  const noOther = controls > sample.length * 0.05 || countSequences(sample).invalid > 0;
  const wide = more > sample.length * 0.15 || (more >= 4 && more > sample.length * 0.01 && noOther);
  if (!wide || less * 8 > more) return null;
  return odd > even ? "UTF-16LE" : "UTF-16BE";
}

const declaredIn = (sample: Buffer): string | undefined =>
  /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    sample
      .subarray(0, 400)
      .toString("latin1")
      .replace(/^\xef\xbb\xbf/, ""),
  )?.[1];

/** Resolves a label as browsers do, in the report's spelling. Null if it's unknown or not 8-bit. */
function knownEncoding(label: string | undefined): string | null {
  if (!label) return null;
  try {
    const { encoding } = new TextDecoder(label); // ISO-8859-1 is windows-1252 here
    if (encoding.startsWith("utf-16") || !iconv.encodingExists(encoding)) return null;
    return encoding.replace(/^(?:utf|iso)/, (start) => start.toUpperCase());
  } catch {
    return null;
  }
}

function countReplaced(text: string, report: FeedReport): string {
  if (text.includes("\uFFFD")) report.repair("invalid_characters", 0, text.split("\uFFFD").length - 1);
  return text;
}

/** Reads bytes in pieces, with peek and unread. */
class Reader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #ahead: Buffer[] = [];

  constructor(input: Bytes) {
    this.#iterator = input[Symbol.asyncIterator]();
  }

  async next(): Promise<Buffer | null> {
    return this.#ahead.shift() ?? this.#read();
  }

  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.#ahead.unshift(bytes);
  }

  async skip(size: number): Promise<void> {
    await this.peek(size);
    const all = Buffer.concat(this.#ahead);
    this.#ahead = [];
    this.unread(all.subarray(size));
  }

  /** The next `size` bytes, fewer at the end, without consuming them. */
  async peek(size: number): Promise<Buffer> {
    let length = this.#ahead.reduce((sum, piece) => sum + piece.length, 0);
    while (length < size) {
      const piece = await this.#read();
      if (!piece) break;
      this.#ahead.push(piece);
      length += piece.length;
    }
    return Buffer.concat(this.#ahead).subarray(0, size);
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  async #read(): Promise<Buffer | null> {
    const { done, value } = await this.#iterator.next();
    return done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}
