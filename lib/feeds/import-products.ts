import type { PoolClient } from "pg";
import { finishImports, type ImportOrigin, listImportsToFinish, saveReport } from "@/lib/feeds/import-records";
import type { FieldMapping } from "@/lib/feeds/product-fields";
import { type FeedProductRow, type ProductFeed, readProducts } from "@/lib/feeds/read-products";
import { ImportTally, type RejectedRow, runImport, stageRows } from "@/lib/feeds/run-import";
import { now } from "@/lib/platform/clock";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import type { FeedFormat } from "@/lib/platform/parsing/raw-rows";
import type { Repair, Warning } from "@/lib/platform/parsing/report";
import { syncFamilies } from "@/lib/reviews/reviews/sync-families";
import * as sql from "./sql";

export type ImportOptions = ImportOrigin & {
  /** Detected from the content by default. */
  format?: FeedFormat;
  filename?: string;
  /** Encoding the server named for the file. */
  charset?: string;
  /** The client's field names → ours. */
  mapping?: FieldMapping;
  /** Continue if more than half of the active products would be deleted. */
  confirmDeletions?: boolean;
  onProgress?: (progress: { read: number }) => void;
};

/** `read = created + updated + unchanged + rejectedCount`; `deleted` counts products missing from the feed. */
export type ImportReport = {
  /** Id of the row in `feed_imports`. */
  id: string;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  /** The first 100,000, by row. */
  rejected: RejectedRow[];
  rejectedCount: number;
  repairs: Repair[];
  /** Dropped values (the first 1,000). */
  warnings: Warning[];
  warningCount: number;
  /** Encoding of the file's text. */
  encoding: string | null;
  /** Why the end of the feed is missing; nothing was deleted then. */
  incomplete: string | null;
  /** Machine-readable form of `incomplete`. */
  incomplete_reason: Reason | null;
};

// Reasons of rejected rows: `doubled`, `id_missing`, `id_too_long`, `name_missing`, `truncated`, `too_long`, `unreadable`, `not_an_object`.

/**
 * Imports a product feed into a client's catalog. Rows are staged while they are read, then one transaction applies all
 * changes or none.
 *
 * - Of a duplicate id the last row counts. A row with a name is the whole product: what it leaves out is cleared. A row
 *   without one updates only the fields it has, and is rejected for an unknown product.
 * - Products missing from the feed become `deleted`, and active again when they return. Exceptions, which delete
 *   nothing: a feed without any names (it only supplements), without usable rows, or truncated.
 * - Deleting more than half of the active products: throws `conflict` unless `confirmDeletions`.
 * - A file that isn't a feed: `invalid_field` (field `file`). An unknown client: `not_found`.
 *
 * Refused or failed imports change no product; every import leaves its report in `feed_imports`. Reviews of new
 * products and of those that changed their family follow in batches after the transaction; if the import dies before,
 * the next one does it.
 */
export async function importProducts(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const report = await runImport(clientId, "products", { ...options, savesReport: true }, async (db, id) => {
    const feed = readProducts(input, options);
    const staged = await stage(db, feed, options.onProgress);
    await sql.indexStage(db, staged.products);
    await db.query("begin");
    const merged = await merge(db, clientId, id, feed, staged, options.confirmDeletions ?? false);
    await db.query("commit");
    return merged;
  });
  const importsToFinish = await listImportsToFinish(clientId);
  if (importsToFinish.length > 0) {
    await syncFamilies(clientId);
    await finishImports(clientId, importsToFinish);
  }
  return report;
}

/** Counts of the staged rows. */
type Staged = { tally: ImportTally; products: number; named: boolean };

async function stage(db: PoolClient, feed: ProductFeed, onProgress: ImportOptions["onProgress"]): Promise<Staged> {
  const staged: Staged = { tally: new ImportTally(), products: 0, named: false };
  const { tally } = staged;
  await sql.createStage(db);
  const toLine = (row: FeedProductRow): string => {
    tally.read += 1;
    if ("reason" in row) {
      tally.reject(row);
      return "";
    }
    staged.products += 1;
    if (row.product.name !== null) staged.named = true;
    return sql.copyLine(row.row, row.product);
  };
  await stageRows(db, sql.COPY_INTO_STAGE, feed.batches(), toLine, () => onProgress?.({ read: tally.read }));
  return staged;
}

async function merge(
  db: PoolClient,
  clientId: string,
  id: string,
  feed: ProductFeed,
  staged: Staged,
  confirmDeletions: boolean,
): Promise<ImportReport> {
  const { tally, products } = staged;
  await sql.prepareMerge(db, clientId, products);
  // Taken while holding the lock, so `updated_at` is later than in every earlier merge.
  const moment = now();
  const duplicates = await sql.dropDuplicates(db);
  const unnamedRows = await sql.dropUnnamed(db, clientId);
  tally.drop(duplicates);
  tally.drop(unnamedRows);

  const supplemental = !staged.named && tally.read > 0;
  const complete = !supplemental && feed.report.incomplete === null;
  const { live, missing, known, moved } = await sql.compareWithCatalog(db, clientId);
  if (complete && !confirmDeletions && missing > live / 2) {
    throw new AppError("conflict", { reason: "too_many_deletions", params: { missing, total: live } });
  }
  // Each statement walks both sets, so those with nothing to do are skipped.
  if (complete && missing > 0) tally.deleted = await sql.deleteMissing(db, clientId, moment);
  if (known > 0) tally.updated = await sql.updateChanged(db, clientId, supplemental, moment);
  const newCount = products - duplicates.total - unnamedRows.total - known;
  if (newCount > 0) tally.created = await sql.insertNew(db, clientId, moment);

  const report: ImportReport = { id, ...tally.toReport(feed.report) };
  await saveReport(db, clientId, id, report, { followed: moved + tally.created === 0 });
  return report;
}
