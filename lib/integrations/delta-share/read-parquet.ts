import { brotliDecompressSync, unzipSync, zstdDecompressSync } from "node:zlib";
import { type AsyncBuffer, type Compressors, parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { quotedText } from "@/lib/platform/storable-text";
import type { LocalFile } from "./fetch-file";
import { ShareError } from "./share-error";

/** Rows in memory at a time. */
const ROWS_PER_BATCH = 5_000;
/** Maximum unpacked size of a page, usually about 1 MB. */
const MAX_PAGE_BYTES = 128 * 1024 * 1024;
/** Maximum size on disk of a row group's columns in use, which are in memory while its rows are read. */
const MAX_ROW_GROUP_BYTES = 512 * 1024 * 1024;
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;

/** A row: text, numbers, times as ISO strings with microseconds, dates as strings. */
export type ParquetRow = Record<string, unknown>;

/**
 * Reads rows of a Parquet file in batches, with these columns; missing columns are left out. Throws {@link ShareError}
 * `unreadable` if the file is invalid.
 */
export async function* readParquet({ handle, size }: LocalFile, columns: string[]): AsyncGenerator<ParquetRow[]> {
  const file = slicesOf({ handle, size });
  const metadata = await asUnreadableError(() => parquetMetadataAsync(file, { geoparquet: false }));
  const existingColumns = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
  const wanted = columns.filter((column) => existingColumns.has(column));
  let groupStart = 0;
  const once = cacheSlices(file);
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const bytes = group.columns
      .filter(({ meta_data }) => wanted.includes(meta_data?.path_in_schema[0] ?? ""))
      .reduce((sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size ?? 0), 0);
    if (bytes > MAX_ROW_GROUP_BYTES) throw new ShareError("unreadable", { reason: "share_row_groups_too_large" });
    once.clear();
    for (let from = 0; from < rows; from += ROWS_PER_BATCH) {
      const rowStart = groupStart + from;
      const rowEnd = groupStart + Math.min(rows, from + ROWS_PER_BATCH);
      if (wanted.length === 0) yield Array.from({ length: rowEnd - rowStart }, () => ({}));
      else
        yield await asUnreadableError(() =>
          parquetReadObjects({
            file: once.file,
            metadata,
            columns: wanted,
            rowStart,
            rowEnd,
            compressors: pageLimitedCompressors,
            parsers,
          }),
        );
    }
    groupStart += rows;
  }
}

function slicesOf({ handle, size }: LocalFile): AsyncBuffer {
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const [from, to] = [start < 0 ? size + start : start, Math.min(end < 0 ? size + end : end, size)];
      // A footer or column that claims more than the file holds must not allocate memory first.
      if (to < from || to - from > Math.max(MAX_ROW_GROUP_BYTES, MAX_FOOTER_BYTES))
        throw new Error("a part of the file is out of bounds");
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
        if (bytesRead === 0) throw new Error("the file ends early");
        at += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

/** Caches slices of a file until they are cleared, since each batch of rows requests all columns of its row group. */
function cacheSlices(file: AsyncBuffer): {
  file: AsyncBuffer;
  clear: () => void;
} {
  const parts = new Map<string, Promise<ArrayBuffer>>();
  const slice = (start: number, end?: number): Promise<ArrayBuffer> => {
    const name = `${start} ${end}`;
    const part = parts.get(name) ?? Promise.resolve(file.slice(start, end));
    parts.set(name, part);
    return part;
  };
  return {
    file: { byteLength: file.byteLength, slice },
    clear: () => parts.clear(),
  };
}

/** Converts errors of the parser to `unreadable`. */
async function asUnreadableError<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ShareError) throw error;
    const parserMessage = error instanceof Error ? quotedText(error.message, 200) : "no reason given";
    throw new ShareError(
      "unreadable",
      { reason: "parquet_unreadable", params: { said: parserMessage } },
      { cause: error },
    );
  }
}

/** Decompressors that stop at the declared length of a page. */
const limitedCompressors: Compressors = {
  ...compressors,
  GZIP: (input, length) => unzipSync(input, outputLimit(length)),
  BROTLI: (input, length) => brotliDecompressSync(input, outputLimit(length)),
  ZSTD: (input, length) => zstdDecompressSync(input, outputLimit(length)),
};
const outputLimit = (length: number) => ({ maxOutputLength: Math.max(1, length) });

/** Rejects pages that declare more than the maximum size. */
const pageLimitedCompressors: Compressors = Object.fromEntries(
  Object.entries(limitedCompressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, length: number) => {
      if (length > MAX_PAGE_BYTES) throw new Error("a page is too large");
      return unpack(input, length);
    },
  ]),
);

/** Times keep their microseconds, which may decide which version of a row is the newest. */
const toMicrosecondIso = (value: bigint): string => {
  const seconds = value >= 0n ? value / 1_000_000n : (value - 999_999n) / 1_000_000n;
  const moment = new Date(Number(seconds) * 1_000);
  if (Number.isNaN(moment.getTime())) return "";
  return `${moment.toISOString().slice(0, -5)}.${String(value - seconds * 1_000_000n).padStart(6, "0")}Z`;
};
const parsers = {
  timestampFromMilliseconds: (value: bigint) => toMicrosecondIso(value * 1_000n),
  timestampFromMicroseconds: toMicrosecondIso,
  timestampFromNanoseconds: (value: bigint) => toMicrosecondIso(value / 1_000n),
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};
