import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32, createGunzip } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";

/** Compressed bytes unpacked at a time: at most a thousand times as many come out, and those are held in memory. */
const GZIP_STEP = 4_096;
/** What a packed file may unpack to: more than any shop sells, and an end to a file that was made to have none. */
export const MAX_UNPACKED_BYTES = 4 * 1024 ** 3;

type Bytes = AsyncIterable<Uint8Array>;

const tooLarge = (max: number) => unreadableFile("unpacks_too_large", { max });

/**
 * Unpacks gzip a little at a time. A packed file that is damaged or cut off gives what can be unpacked of it. Throws
 * `invalid_field` (field `file`) for one that unpacks to more than `most` bytes.
 */
export async function* unpackGzip(
  input: Bytes,
  report: FeedReport,
  most: number = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let out: Buffer[] = [];
  let failure: Error | null = null;
  let hasOutput = false;
  let bytes = 0;
  let wake = () => {};
  gunzip.on("data", (piece: Buffer) => out.push(piece));
  gunzip.on("error", (error) => {
    failure = error;
    wake();
  });
  const settled = (step: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      step(resolve);
    });
  const takeOutput = () => {
    const pieces = out;
    out = [];
    hasOutput ||= pieces.length > 0;
    for (const piece of pieces) bytes += piece.length;
    if (bytes > most) throw tooLarge(most);
    return pieces;
  };
  try {
    for await (const chunk of input) {
      for (let from = 0; from < chunk.length && !failure; from += GZIP_STEP) {
        await settled((done) => gunzip.write(chunk.subarray(from, from + GZIP_STEP), () => done()));
        yield* takeOutput();
      }
      if (failure) break;
    }
    if (!failure) await settled((done) => gunzip.once("end", done).end());
    yield* takeOutput();
  } finally {
    gunzip.destroy();
  }
  if (!failure) return;
  if (!hasOutput) throw unreadableFile("gzip_unreadable", {}, failure);
  report.markIncomplete("gzip_damaged");
}

/**
 * Unpacks a ZIP archive that holds one file. What it holds is listed at its end, so it is kept in a temporary folder until
 * it is read. Throws `invalid_field` (field `file`) for one with several files, a password, or more than `most` bytes.
 */
export async function* unpackZip(
  input: Bytes,
  report: FeedReport,
  most: number = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), "candor-zip-"));
  let zip: ZipFile | undefined;
  try {
    const file = path.join(folder, "archive.zip");
    await pipeline(atMost(input, most), createWriteStream(file));
    zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(refuseZip);
    const entry = await onlyEntry(zip);
    if (entry.uncompressedSize > most) throw tooLarge(most);
    const stream = await zip.openReadStreamPromise(entry).catch(refuseZip);
    let sum = 0;
    try {
      for await (const piece of atMost(stream, most)) {
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (error) {
      if (!stream.errored) throw error;
      report.markIncomplete("zip_damaged");
      return;
    }
    if (sum !== entry.crc32) report.markIncomplete("zip_damaged");
  } finally {
    zip?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function* atMost(input: Bytes, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    if (bytes > most) throw tooLarge(most);
    yield piece;
  }
}

/** The one file in the archive, besides folders and what macOS adds. */
async function onlyEntry(zip: ZipFile): Promise<Entry> {
  const found: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/") || /^__MACOSX\/|(?:^|\/)\.DS_Store$/.test(entry.fileName)) continue;
      found.push(entry);
      if (found.length > 1) break;
    }
  } catch (cause) {
    refuseZip(cause);
  }
  if (found.some(({ fileName }) => /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/.test(fileName)))
    throw unreadableFile("file_is_excel");
  if (found.length > 1) throw unreadableFile("zip_several_files");
  if (!found[0]) throw unreadableFile("zip_without_file");
  if (found[0].isEncrypted()) throw unreadableFile("zip_encrypted");
  return found[0];
}

function refuseZip(cause: unknown): never {
  throw unreadableFile("zip_unreadable", {}, cause);
}
