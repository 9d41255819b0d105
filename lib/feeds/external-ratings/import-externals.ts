import { type ReadOptions, readExternals, type TotalRow } from "@/lib/feeds/external-ratings/read-externals";
import type { StoredReport } from "@/lib/feeds/import-records";
import { ImportTally, runImport, stageRows } from "@/lib/feeds/run-import";
import { now } from "@/lib/platform/clock";
import { readSource } from "@/lib/platform/parsing/read-source";
import * as sql from "./sql";

export type ImportOptions = ReadOptions & {
  /** The file is complete: totals missing from it are deleted. */
  complete?: boolean;
  /** Source for display: a file name, or a URL without its query. */
  source?: string;
  onProgress?: (progress: { read: number }) => void;
};

/**
 * Imports totals of external reviews. A row replaces the stored total with the same product, kind, source, locale and
 * country; of several such rows, the last one counts. Rows are staged while they are read, then one transaction applies
 * all differences or none. Displays show the new totals as soon as it returns.
 *
 * Totals missing from the file stay, unless the file is `complete` and not truncated; a count of 0 deletes one.
 * Products needn't exist yet. Throws `not_found` for an unknown client, `invalid_field` (field `file`) for an
 * unreadable file.
 */
export function importExternals(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  { complete, onProgress, ...options }: ImportOptions = {},
): Promise<StoredReport> {
  return runImport(clientId, "externals", options, async (db) => {
    const { batches, report } = readExternals(input, options);
    const tally = new ImportTally();
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

/** `importExternals` from a local file or an http(s) URL. */
export const importExternalsFrom = (
  clientId: string,
  fileOrUrl: string,
  options: ImportOptions = {},
): Promise<StoredReport> =>
  readSource(fileOrUrl, (input, names) => importExternals(clientId, input, { ...names, ...options }));
