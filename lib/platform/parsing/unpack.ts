import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32, createGunzip } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";

/** Compressed bytes per step: the output is up to a thousand times as large and held in memory. */
const GZIP_STEP = 4_096;
/** Maximum unpacked size: more than any store needs, and a limit for decompression bombs. */
export const MAX_UNPACKED_BYTES = 4 * 1024 ** 3;

type Bytes = AsyncIterable<Uint8Array>;

const tooLarge = (max: number) => unreadableFile("unpacks_too_large", { max });

/**
 * Unpacks gzip in small steps. A damaged or truncated file yields what can be unpacked. Throws `invalid_field` (field
 * `file`) for more than `most` bytes.
 */
export async function* unpackGzip(
  input: Bytes,
  report: FeedReport,
  maxBytes: number = MAX_UNPACKED_BYTES,
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
    if (bytes > maxBytes) throw tooLarge(maxBytes);
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
 * Unpacks a ZIP archive with one file. Its directory is at the end, so the archive is first written to a temporary
 * folder. Throws `invalid_field` (field `file`) for several files, a password, or more than `most` bytes.
 */
export async function* unpackZip(
  input: Bytes,
  report: FeedReport,
  maxBytes: number = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), "candor-zip-"));
  let zip: ZipFile | undefined;
  try {
    const file = path.join(folder, "archive.zip");
    await pipeline(limitBytes(input, maxBytes), createWriteStream(file));
    zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(refuseZip);
    const entry = await onlyEntry(zip);
    if (entry.uncompressedSize > maxBytes) throw tooLarge(maxBytes);
    const stream = await zip.openReadStreamPromise(entry).catch(refuseZip);
    let sum = 0;
    try {
      for await (const piece of limitBytes(stream, maxBytes)) {
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

async function* limitBytes(input: Bytes, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

/** The only file in the archive, ignoring folders and macOS metadata. */
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
