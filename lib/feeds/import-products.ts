import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { beginImport, failImport, finishImports, keepReport, listUnfollowed } from "@/lib/feeds/keep-import";
import type { FieldMapping } from "@/lib/feeds/product-fields";
import type { FeedFormat } from "@/lib/feeds/raw-rows";
import { type ProductFeed, readProducts } from "@/lib/feeds/read-products";
import type { Repair, Warning } from "@/lib/feeds/report";
import { followFamilies } from "@/lib/reviews/follow-families";
import * as sql from "./sql";

export type ImportOptions = {
  /** told from the content unless given */
  format?: FeedFormat;
  filename?: string;
  /** what the client calls its fields → our names */
  mapping?: FieldMapping;
  /** go on when more than half of the live products would be deleted */
  confirmDeletions?: boolean;
  /** where the rows come from, for people: a file's name, an address without its query */
  source?: string;
  /** the feed setting this run belongs to */
  feedId?: string;
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
  rejected: Rejection[];
  rejectedCount: number;
  repairs: Repair[];
  /** values that were left out (the first thousand) */
  warnings: Warning[];
  warningCount: number;
  /** why the feed's end was not seen; nothing was deleted then */
  incomplete: string | null;
};

/** Reasons: `doubled`, `id_missing`, `id_too_long`, `name_missing`, `truncated`, `too_long`, `unreadable`, `not_an_object`. */
export type Rejection = { row: number; reason: string };

const REJECTIONS = 100_000;

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
  const id = await beginImport(clientId, "products", options);
  try {
    const report = await stageAndMerge(id, clientId, readProducts(input, options), options);
    const unfollowed = await listUnfollowed(clientId);
    if (unfollowed.length > 0) {
      await followFamilies(clientId);
      await finishImports(clientId, unfollowed);
    }
    return report;
  } catch (error) {
    await failImport(clientId, id, error);
    throw error;
  }
}

async function stageAndMerge(
  id: string,
  clientId: string,
  feed: ProductFeed,
  options: ImportOptions,
): Promise<ImportReport> {
  const db = await pool().connect();
  db.on("error", () => {}); // a connection that breaks also fails the statement under way
  try {
    await sql.openSession(db, id);
    const staged = await stage(db, feed, options.onProgress);
    await sql.settleStage(db, staged.products);
    await db.query("begin");
    const report = await merge(db, clientId, id, feed, staged, options.confirmDeletions ?? false);
    await db.query("commit");
    return report;
  } finally {
    db.release(true); // closed: the staged rows, the settings and what was not committed go with it
  }
}

/** What was counted while the rows went by. */
type Staged = { read: number; products: number; named: boolean; rejected: Rejection[]; rejectedCount: number };

async function stage(db: PoolClient, feed: ProductFeed, onProgress: ImportOptions["onProgress"]): Promise<Staged> {
  const staged: Staged = { read: 0, products: 0, named: false, rejected: [], rejectedCount: 0 };
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const batch of feed.batches()) {
      let text = "";
      for (const row of batch) {
        staged.read += 1;
        if ("reason" in row) {
          staged.rejectedCount += 1;
          if (staged.rejected.length < REJECTIONS) staged.rejected.push({ row: row.row, reason: row.reason });
          continue;
        }
        staged.products += 1;
        if (row.product.name !== null) staged.named = true;
        text += sql.copyLine(row.row, row.product);
      }
      if (text !== "") yield Buffer.from(text);
      onProgress?.({ read: staged.read });
    }
  }
  await pipeline(Readable.from(lines(), { highWaterMark: 1 }), db.query(copyFrom(sql.COPY_INTO_STAGE)));
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
  const { read, products, rejected } = staged;
  const moment = now();
  await sql.prepareMerge(db, clientId, products);
  const doubled = await sql.dropDoubled(db, REJECTIONS);
  const nameless = await sql.dropNameless(db, clientId, REJECTIONS);

  const supplemental = !staged.named && read > 0;
  const complete = !supplemental && feed.report.incomplete === null;
  const { live, missing, known, moved } = await sql.compareWithCatalogue(db, clientId);
  if (complete && !confirmDeletions && missing > live / 2) {
    throw new AppError(
      "conflict",
      `The feed does not have ${missing} of the ${live} products, so more than half would be deleted. Nothing was changed; confirm the deletions if that is right.`,
    );
  }
  // Each of these walks both sets, so the ones that have nothing to do are left out.
  const deleted = complete && missing > 0 ? await sql.deleteMissing(db, clientId, moment) : 0;
  const updated = known > 0 ? await sql.updateChanged(db, clientId, supplemental, moment) : 0;
  const isNew = products - doubled.total - nameless.total - known;
  const created = isNew > 0 ? await sql.insertNew(db, clientId, moment) : 0;

  for (const row of doubled.rows) rejected.push({ row, reason: "doubled" });
  for (const row of nameless.rows) rejected.push({ row, reason: "name_missing" });
  const rejectedCount = staged.rejectedCount + doubled.total + nameless.total;
  const { repairs, warnings, warningCount, incomplete } = feed.report;
  const report: ImportReport = {
    id,
    read,
    created,
    updated,
    unchanged: read - rejectedCount - created - updated,
    deleted,
    rejected: rejected.sort((one, other) => one.row - other.row).slice(0, REJECTIONS),
    rejectedCount,
    repairs,
    warnings,
    warningCount,
    incomplete,
  };
  await keepReport(db, clientId, id, report, { followed: moved + created === 0 });
  return report;
}
