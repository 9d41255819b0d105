import type { PoolClient } from "pg";
import { finishImports, type ImportOrigin, listImportsToFinish, saveReport } from "@/lib/feeds/import-records";
import type { FieldMapping } from "@/lib/feeds/product-fields";
import { type FeedRow, type ProductFeed, readProducts } from "@/lib/feeds/read-products";
import { type Rejected, runImport, stageRows, Tally } from "@/lib/feeds/run-import";
import { now } from "@/lib/platform/clock";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import type { FeedFormat } from "@/lib/platform/parsing/raw-rows";
import type { Repair, Warning } from "@/lib/platform/parsing/report";
import { syncFamilies } from "@/lib/reviews/reviews/sync-families";
import * as sql from "./sql";

export type ImportOptions = ImportOrigin & {
  /** told from the content unless given */
  format?: FeedFormat;
  filename?: string;
  /** the encoding that the server named with the file */
  charset?: string;
  /** what the client calls its fields → our names */
  mapping?: FieldMapping;
  /** go on when more than half of the live products would be deleted */
  confirmDeletions?: boolean;
  onProgress?: (progress: { read: number }) => void;
};

/** `read = created + updated + unchanged + rejectedCount`; `deleted` counts products that the feed does not have. */
export type ImportReport = {
  /** of the row in `feed_imports` */
  id: string;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  /** the first hundred thousand, by row */
  rejected: Rejected[];
  rejectedCount: number;
  repairs: Repair[];
  /** values that were left out (the first thousand) */
  warnings: Warning[];
  warningCount: number;
  /** what its text was encoded in */
  encoding: string | null;
  /** why the feed's end was not seen; nothing was deleted then */
  incomplete: string | null;
  /** the same, for programs */
  incomplete_reason: Reason | null;
};

// Reasons of rejected rows: `doubled`, `id_missing`, `id_too_long`, `name_missing`, `truncated`, `too_long`, `unreadable`, `not_an_object`.

/**
 * Takes a product feed into a client's catalogue. The rows are staged as they are read, then one transaction decides what
 * is new, changed, unchanged and gone: all of it happens or nothing.
 *
 * - Of a doubled id the last row counts. A row without a name changes a known product, only in the fields it has; for an
 *   unknown one it is rejected. A row with a name is the whole product: what it leaves out is unset.
 * - Products that the feed does not have become `deleted`, and live again when they come back. Not so when the feed has no
 *   names at all (it only supplements) or not one usable row, or when it breaks off in the middle: what it has is taken,
 *   nothing is deleted.
 * - More than half of the live products gone: AppError `conflict` unless `confirmDeletions`.
 * - A file that is no feed: AppError `invalid_field` (field `file`). An unknown client: `not_found`.
 *
 * Refused or failed imports change no product; each import leaves its report in `feed_imports`. Reviews of products that
 * are new or changed family follow in batches after the transaction; an import that dies before that is caught up by the
 * next one.
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

/** What was counted while the rows went by. */
type Staged = { tally: Tally; products: number; named: boolean };

async function stage(db: PoolClient, feed: ProductFeed, onProgress: ImportOptions["onProgress"]): Promise<Staged> {
  const staged: Staged = { tally: new Tally(), products: 0, named: false };
  const { tally } = staged;
  await sql.createStage(db);
  const toLine = (row: FeedRow): string => {
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
  // Not before its turn: `updated_at` of what a merge changes is later than that of every merge before it.
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
  // Each of these walks both sets, so the ones that have nothing to do are left out.
  if (complete && missing > 0) tally.deleted = await sql.deleteMissing(db, clientId, moment);
  if (known > 0) tally.updated = await sql.updateChanged(db, clientId, supplemental, moment);
  const isNew = products - duplicates.total - unnamedRows.total - known;
  if (isNew > 0) tally.created = await sql.insertNew(db, clientId, moment);

  const report: ImportReport = { id, ...tally.toReport(feed.report) };
  await saveReport(db, clientId, id, report, { followed: moved + tally.created === 0 });
  return report;
}
