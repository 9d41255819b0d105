import { createHash } from "node:crypto";
import { once } from "node:events";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { ArchiveWriter, Entry } from "@/lib/backup/archive";
import type { TableContent } from "@/lib/backup/manifest";
import { AppError } from "@/lib/platform/errors";

/** Adds the output of a `copy … to stdout` to an archive, and returns what its manifest says about it. */
export async function addRows<M>(
  archive: ArchiveWriter<M>,
  db: pg.Client,
  table: string,
  statement: string,
): Promise<Pick<TableContent, "rows" | "bytes" | "sha256">> {
  const digest = createHash("sha256");
  let bytes = 0;
  const copy = db.query(copyTo(statement));
  const gzip = createGzip();
  const filled = (async () => {
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      digest.update(chunk);
      bytes += chunk.length;
      if (!gzip.write(chunk)) await once(gzip, "drain");
    }
    gzip.end();
  })();
  filled.catch((error) => gzip.destroy(error)); // the reader of `gzip` gets the error
  await archive.addTable(table, gzip);
  await filled;
  return { rows: copy.rowCount, bytes, sha256: digest.digest("hex") };
}

/** Loads a table with a `copy … from stdin`, from its consecutive pieces. Returns the entry after them. */
export async function loadRows(
  db: pg.Client,
  table: TableContent,
  statement: string,
  first: Entry,
  entries: AsyncGenerator<Entry>,
): Promise<IteratorResult<Entry>> {
  let next: IteratorResult<Entry> = { done: false, value: first };
  async function* pieces() {
    for (; !next.done && next.value.name.startsWith(`tables/${table.name}/`); next = await entries.next())
      yield next.value.bytes;
  }
  const digest = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      digest.update(chunk);
      // More than the manifest says: a crafted file could continue forever.
      done(bytes > table.bytes ? damaged(table.name) : null, chunk);
    },
  });
  const copy = db.query(copyFrom(statement));
  await pipeline(Readable.from(pieces(), { objectMode: true, highWaterMark: 1 }), createGunzip(), counted, copy);
  if (copy.rowCount !== table.rows || bytes !== table.bytes || digest.digest("hex") !== table.sha256)
    throw damaged(table.name);
  return next;
}

/** The error for a part of an archive that differs from its manifest. */
export const damaged = (what: string): AppError =>
  new AppError("invalid_parameter", { reason: "backup_damaged", params: { what } });
