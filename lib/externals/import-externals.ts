import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { type ReadOptions, readExternals } from "@/lib/externals/read-externals";
import type { ImportReport } from "@/lib/feeds/import-products";
import { beginImport, failImport, keepReport } from "@/lib/feeds/keep-import";
import { readSource } from "@/lib/feeds/read-source";
import * as sql from "./sql";

export type ImportOptions = ReadOptions & {
  /** the file is all there is: totals it does not have are deleted */
  complete?: boolean;
  /** where the rows come from, for people: a file's name, an address without its query */
  source?: string;
  onProgress?: (progress: { read: number }) => void;
};

const REJECTIONS = 100_000;

/**
 * Takes totals of external reviews into a client. A total is known by product, kind, source, locale and country; a row
 * with the same is its new state, of several in one file the last one counts. The rows are staged as they are read, then
 * one transaction changes what differs: all of it happens or nothing, and the same file again changes nothing. Displays
 * show the new totals as soon as it returns.
 *
 * Totals that the file does not have stay, unless it is said to be `complete` and ends where it should; a count of 0 takes
 * one out. Products need not be known yet. Throws `not_found` for an unknown client, `invalid_field` (field `file`) for a
 * file that cannot be read.
 */
export async function importExternals(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const id = await beginImport(clientId, "externals", options);
  try {
    return await withSession(id, (db) => stageAndMerge(db, clientId, id, input, options));
  } catch (error) {
    await failImport(clientId, id, error);
    throw error;
  }
}

/** A connection of the import's own; closed afterwards, and what is staged or not committed goes with it. */
async function withSession<T>(id: string, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool().connect();
  db.on("error", () => {}); // a connection that breaks also fails the statement under way
  try {
    await sql.openSession(db, id);
    return await work(db);
  } finally {
    db.release(true);
  }
}

/** `importExternals` from a file on this machine or from an http(s) address, as the operator names it. */
export const importExternalsFrom = (
  clientId: string,
  fileOrUrl: string,
  options: ImportOptions = {},
): Promise<ImportReport> =>
  readSource(fileOrUrl, (input, names) => importExternals(clientId, input, { ...names, ...options }));

async function stageAndMerge(
  db: PoolClient,
  clientId: string,
  id: string,
  input: AsyncIterable<Uint8Array>,
  { complete, onProgress, ...options }: ImportOptions,
): Promise<ImportReport> {
  const { batches, report: tally } = readExternals(input, options);
  const rejected: ImportReport["rejected"] = [];
  let rejectedCount = 0;
  let read = 0;
  const reject = (row: number, reason: string) => {
    if (rejected.length < REJECTIONS) rejected.push({ row, reason });
  };
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const batch of batches()) {
      read += batch.length;
      const text = batch.map((one) => {
        if ("total" in one) return sql.copyLine(one.row, one.total);
        rejectedCount += 1;
        reject(one.row, one.reason);
        return "";
      });
      yield Buffer.from(text.join(""));
      onProgress?.({ read });
    }
  }
  await pipeline(Readable.from(lines(), { highWaterMark: 1 }), db.query(copyFrom(sql.COPY_INTO_STAGE)));
  await sql.settleStage(db);

  await db.query("begin");
  await sql.holdTotals(db, clientId);
  const doubled = await sql.dropDoubled(db, REJECTIONS);
  rejectedCount += doubled.total;
  for (const row of doubled.rows) reject(row, "doubled");
  const merged = await sql.mergeStage(db, clientId, complete === true && tally.incomplete === null, now());
  const { repairs, warnings, warningCount, incomplete } = tally;
  const unchanged = read - rejectedCount - merged.created - merged.updated;
  rejected.sort((one, other) => one.row - other.row);
  const counts = { id, read, ...merged, unchanged, rejected, rejectedCount };
  const report = { ...counts, repairs, warnings, warningCount, incomplete };
  await keepReport(db, clientId, id, report);
  await db.query("commit");
  return report;
}
