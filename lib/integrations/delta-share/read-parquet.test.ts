import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type ParquetWriteOptions, parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { type ParquetRow, readParquet } from "./read-parquet";

type Written = Omit<ParquetWriteOptions, "writer">;

async function withFile<T>(
  bytes: Uint8Array,
  work: (file: Parameters<typeof readParquet>[0]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "candor-parquet-"));
  await writeFile(path.join(folder, "file"), bytes);
  const handle = await open(path.join(folder, "file"));
  try {
    return await work({ handle, size: bytes.length });
  } finally {
    await handle.close();
    await rm(folder, { recursive: true });
  }
}

const read = (bytes: Uint8Array, columns: string[]): Promise<ParquetRow[][]> =>
  withFile(bytes, async (file) => {
    const batches: ParquetRow[][] = [];
    for await (const rows of readParquet(file, columns)) batches.push(rows);
    return batches;
  });
const written = (options: Written) => new Uint8Array(parquetWriteBuffer(options));

describe("Parquet rows", () => {
  it("are read in batches across row groups, each once and in order", async () => {
    const names = Array.from({ length: 23_456 }, (_, index) => `row ${index}`);
    const bytes = written({
      columnData: [
        { name: "name", data: names, type: "STRING" },
        { name: "other", data: names, type: "STRING" },
      ],
      rowGroupSize: [1_000, 12_000],
      pageSize: 20_000,
    });
    const batches = await read(bytes, ["name", "not there"]);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(5_000);
    expect(batches.flat()).toEqual(names.map((name) => ({ name })));
  });

  it.each(["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD"] as const)(
    "are read with %s compression",
    async (codec) => {
      const data = Array.from({ length: 3_000 }, (_, index) => `value ${index % 700}`);
      const compressors = { GZIP: gzipSync, BROTLI: brotliCompressSync, ZSTD: zstdCompressSync };
      const bytes = written({
        columnData: [{ name: "a", data, type: "STRING" }],
        codec,
        compressors: codec === "SNAPPY" ? undefined : compressors,
      });
      expect((await read(bytes, ["a"])).flat()).toEqual(data.map((a) => ({ a })));
    },
  );

  it("have times in microseconds, dates, numbers and missing values", async () => {
    const bytes = written({
      schema: [
        { name: "root", num_children: 5 },
        { name: "micros", type: "INT64", converted_type: "TIMESTAMP_MICROS", repetition_type: "OPTIONAL" },
        { name: "millis", type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type: "OPTIONAL" },
        { name: "day", type: "INT32", converted_type: "DATE", repetition_type: "OPTIONAL" },
        {
          name: "price",
          type: "INT32",
          converted_type: "DECIMAL",
          scale: 2,
          precision: 9,
          repetition_type: "OPTIONAL",
        },
        { name: "flag", type: "BOOLEAN", repetition_type: "OPTIONAL" },
      ],
      columnData: [
        { name: "micros", data: [1_767_225_600_000_001n, -1n, null] },
        { name: "millis", data: [new Date("2026-01-01T00:00:00.5Z"), null, null] },
        { name: "day", data: [new Date("2026-01-02T00:00:00Z"), null, null] },
        { name: "price", data: [12.5, null, null] },
        { name: "flag", data: [true, false, null] },
      ],
    });
    expect((await read(bytes, ["micros", "millis", "day", "price", "flag"])).flat()).toEqual([
      {
        micros: "2026-01-01T00:00:00.000001Z",
        millis: "2026-01-01T00:00:00.500000Z",
        day: "2026-01-02",
        price: 12.5,
        flag: true,
      },
      { micros: "1969-12-31T23:59:59.999999Z", millis: null, day: null, price: null, flag: false },
      { micros: null, millis: null, day: null, price: null, flag: null },
    ]);
  });

  it("are rejected if the file isn't Parquet, is truncated, or has a wrong size", async () => {
    const complete = written({ columnData: [{ name: "a", data: ["one", "two"], type: "STRING" }] });
    const lying = complete.slice();
    new DataView(lying.buffer).setUint32(lying.length - 8, 0x7f_ff_ff_ff, true);
    const files = [new Uint8Array(), Buffer.from("<html>"), complete.slice(0, -20), complete.slice(10), lying];
    for (const bytes of files) await expect(read(bytes, ["a"])).rejects.toMatchObject({ kind: "unreadable" });
  });

  it("are rejected if a page holds more than it declares, without unpacking the rest", async () => {
    const more = Buffer.alloc(1_000_000, "a");
    const compressors = {
      GZIP: () => gzipSync(more),
      BROTLI: () => brotliCompressSync(more),
      ZSTD: () => zstdCompressSync(more),
    };
    for (const codec of ["GZIP", "BROTLI", "ZSTD"] as const) {
      const bytes = written({ columnData: [{ name: "a", data: ["one", "two"], type: "STRING" }], codec, compressors });
      await expect(read(bytes, ["a"])).rejects.toMatchObject({
        kind: "unreadable",
        message: expect.stringContaining("Cannot create a Buffer larger than"),
      });
    }
  });

  it("are read from disk once, however many batches a row group has", async () => {
    const names = Array.from({ length: 40_000 }, (_, index) => `row ${index}`);
    const bytes = written({ columnData: [{ name: "name", data: names, type: "STRING" }], rowGroupSize: 40_000 });
    let bytesRequested = 0;
    const rows = await withFile(bytes, async ({ handle, size }) => {
      const counted = {
        read: (into: Uint8Array, ...place: [number, number, number]) => {
          bytesRequested += place[1];
          return handle.read(into, ...place);
        },
      } as unknown as typeof handle;
      let found = 0;
      for await (const slice of readParquet({ handle: counted, size }, ["name"])) found += slice.length;
      return found;
    });
    expect(rows).toBe(40_000);
    expect(bytesRequested).toBeLessThan(3 * bytes.length);
  });
});
