import { setImmediate as nextTurn } from "node:timers/promises";

/** Size of a ZIP archive's end record, and of its longest comment. */
const ZIP_END = 22;
const ZIP_COMMENT = 0xffff;

/**
 * True if an image's bytes are something else as well: a page, a program, a PDF or an archive. Re-encoding would remove
 * that, but no honest photo has it, and originals of imports are stored unchanged.
 */
export async function isPolyglot(bytes: Uint8Array): Promise<boolean> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (await hasMarkup(file)) || isPdf(file) || isZip(file);
}

const [LESS, GREATER, EQUALS] = [0x3c, 0x3e, 0x3d];

/** Bytes after which the search yields: some milliseconds. */
const YIELD_EVERY_BYTES = 1024 * 1024;

/**
 * True if the bytes contain a tag that makes a browser or server treat them as a page or program. Short tags only count
 * with what must follow them: one in some hundred photos has `<svg` by chance. Scans byte by byte and never beyond the
 * next `<`, since crafted bytes could keep a pattern busy for seconds.
 */
async function hasMarkup(file: Buffer): Promise<boolean> {
  for (let at = 0; at < file.length; at += 1) {
    if (file[at] === LESS && isTag(file, at + 1)) return true;
    if (at % YIELD_EVERY_BYTES === YIELD_EVERY_BYTES - 1) await nextTurn();
  }
  return false;
}

function isTag(file: Buffer, at: number): boolean {
  switch (lower(file[at])) {
    case 0x73: // s
      return (
        (matchesAt(file, at, "script") && !isWord(file[at + 6])) ||
        (matchesAt(file, at, "svg") && isDrawing(file, at + 3))
      );
    case 0x69: // i
      return matchesAt(file, at, "iframe") && !isWord(file[at + 6]);
    case 0x21: // !
      return matchesAt(file, at, "!doctype") && !isWord(file[at + 8]);
    case 0x68: // h
      return matchesAt(file, at, "html") && (isBlank(file[at + 4]) || file[at + 4] === GREATER);
    case 0x3f: // ?
      return matchesAt(file, at, "?php") && isBlank(file[at + 4]);
    default:
      return false;
  }
}

/** True if `<svg` is followed by a drawing or event attribute, or an element. */
function isDrawing(file: Buffer, at: number): boolean {
  const opened = skipBlanks(file, at, 9);
  if (file[opened] === GREATER) {
    const next = skipBlanks(file, opened + 1, 99);
    return file[next] === LESS && isLetter(file[next + 1]);
  }
  return (isBlank(file[at]) || file[at] === 0x2f) && hasAttribute(file, at + 1);
}

/** True if an attribute that starts in the first 500 bytes of a tag is `xmlns` or an event handler (`on…`). */
function hasAttribute(file: Buffer, from: number): boolean {
  // Length of the last run of letters, and of the blanks after it.
  let name = 0;
  let blanks = 0;
  for (let at = from; at < from + 550 && at < file.length; at += 1) {
    const byte = file[at];
    if (byte === LESS || byte === GREATER) return false;
    if (byte === EQUALS && name > 0 && blanks <= 9 && isRiskyAttribute(file, from, at - blanks - name, at - blanks))
      return true;
    if (isBlank(byte)) blanks += 1;
    else {
      name = isLetter(byte) ? (blanks === 0 ? name + 1 : 1) : 0;
      blanks = 0;
    }
  }
  return false;
}

function isRiskyAttribute(file: Buffer, tag: number, from: number, to: number): boolean {
  if (to - from >= 5 && to - 5 <= tag + 500 && matchesAt(file, to - 5, "xmlns")) return true;
  for (let at = Math.max(from, to - 32); at <= to - 3 && at <= tag + 500; at += 1)
    if (matchesAt(file, at, "on")) return true;
  return false;
}

/** Matches lower-case `text` at this position, ignoring case. */
function matchesAt(file: Buffer, at: number, text: string): boolean {
  for (let place = 0; place < text.length; place += 1)
    if (lower(file[at + place]) !== text.charCodeAt(place)) return false;
  return true;
}

function skipBlanks(file: Buffer, from: number, max: number): number {
  let at = from;
  while (at < from + max && isBlank(file[at])) at += 1;
  return at;
}

const lower = (byte = 0): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
const isLetter = (byte = 0): boolean => lower(byte) >= 0x61 && lower(byte) <= 0x7a;
const isWord = (byte = 0): boolean => isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
const isBlank = (byte = 0): boolean => (byte >= 0x09 && byte <= 0x0d) || byte === 0x20 || byte === 0xa0;

/** PDF readers look for the marker within the first kilobyte. */
const isPdf = (file: Buffer): boolean => file.subarray(0, 1024).includes("%PDF-");

/** Detects a ZIP archive by its end record, whose comment reaches to the last byte. */
function isZip(file: Buffer): boolean {
  const from = Math.max(0, file.length - ZIP_END - ZIP_COMMENT);
  const mark = Buffer.from("PK\x05\x06", "latin1");
  for (let at = file.indexOf(mark, from); at >= 0 && at + ZIP_END <= file.length; at = file.indexOf(mark, at + 1)) {
    if (at + ZIP_END + file.readUInt16LE(at + 20) === file.length) return true;
  }
  return false;
}
