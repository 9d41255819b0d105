import { type ReadOptions, readExternals, type TotalRow } from "@/lib/feeds/external-ratings/read-externals";
import type { StoredReport } from "@/lib/feeds/import-records";
import { runImport, stageRows, Tally } from "@/lib/feeds/run-import";
import { now } from "@/lib/platform/clock";
import { readSource } from "@/lib/platform/parsing/read-source";
import * as sql from "./sql";

export type ImportOptions = ReadOptions & {
  /** the file is all there is: totals it does not have are deleted */
  complete?: boolean;
  /** where the rows come from, for people: a file's name, an address without its query */
  source?: string;
  onProgress?: (progress: { read: number }) => void;
};

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
export function importExternals(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  { complete, onProgress, ...options }: ImportOptions = {},
): Promise<StoredReport> {
  return runImport(clientId, "externals", options, async (db) => {
    const { batches, report } = readExternals(input, options);
    const tally = new Tally();
    await sql.createStage(db);
    const toLine = (one: TotalRow): string => {
      tally.read += 1;
      if ("total" in one) return sql.copyLine(one.row, one.total);
      tally.reject(one);
      return "";
    };
    await stageRows(db, sql.COPY_INTO_STAGE, batches(), toLine, () => onProgress?.({ read: tally.read }));
    await sql.indexStage(db);

    await db.query("begin");
    await sql.lockTotals(db, clientId);
    tally.drop(await sql.dropDuplicates(db));
    const merged = await sql.mergeStage(db, clientId, complete === true && report.incomplete === null, now());
    await db.query("commit");
    return Object.assign(tally, merged).toReport(report);
  });
}

/** `importExternals` from a file on this machine or from an http(s) address, as the operator names it. */
export const importExternalsFrom = (
  clientId: string,
  fileOrUrl: string,
  options: ImportOptions = {},
): Promise<StoredReport> =>
  readSource(fileOrUrl, (input, names) => importExternals(clientId, input, { ...names, ...options }));
