import type { PoolClient } from "pg";
import { type ClientRow, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { StoredReport } from "@/lib/feeds/import-records";
import { ImportTally, runImport, stageRows } from "@/lib/feeds/run-import";
import { getReadStart, withErasuresBlocked } from "@/lib/orders/erased-hashes";
import { dayIn, now } from "@/lib/platform/clock";
import { isDuplicate, isSerializationFailure, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { createBatch, type RowRange, simulateBatch, updateBatch } from "@/lib/transfer/batch-sql";
import { type ImageSources, importImages } from "@/lib/transfer/import-images";
import { type ReadOptions, type ReviewFile, readReviews } from "@/lib/transfer/read-reviews";
import type { ReadRow } from "@/lib/transfer/review-row";
import * as sql from "./sql";

export type ImportReviewsOptions = ReadOptions & {
  /** Reports what the import would do, and writes nothing. */
  dryRun?: boolean;
  /** Source for display: a file name, or a URL without its query. */
  source?: string;
  /** Sources of images; without them images are left out. */
  imageSources?: ImageSources;
  onProgress?: (progress: { read: number; written: number }) => void;
};

/** Initial rows per statement; halved if it takes too long. */
const BATCH = 1_000;
const MAX_ATTEMPTS = 8;
/** Time limit of a write: incremental readers look back five seconds for uncommitted rows. */
const WRITE_MS = 4_500;

/**
 * Imports a file of reviews: our own export, or another service's (`readReviews`). Rows are matched by external id, our
 * own also by id, so the same file again changes nothing. What a row leaves out stays unchanged; of duplicates, the
 * last row counts.
 *
 * Rows are staged while they are read, and an invalid file is rejected before anything is written. Then batches are
 * written, each in one short statement with history, replies, images and counters. If the import dies, committed
 * batches stay; repeating it does the rest. Nothing is sent. Summaries and the reviews' JSON follow by
 * trigger.
 *
 * - Other services' files don't mark anything as verified. Our own files are trusted, including their marks.
 * - Another service's status applies to new reviews, and to existing ones until they are decided here.
 * - Vote counts are imported until visitors vote here.
 * - Rows about people who are erased while the file is read are `rejected` as `erased`.
 *
 * Throws `not_found` for an unknown client, `invalid_field` (field `file`) for an unreadable file.
 */
export async function importReviews(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  options: ImportReviewsOptions = {},
): Promise<StoredReport> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  return runImport(clientId, "reviews", options, async (db) => {
    const since = await getReadStart(db, client.id);
    const file = readReviews(input, client, options);
    const tally = new ImportTally();
    await stage(db, file, tally, options);
    await sql.prepareStage(db, client.id, file.monthFirst);
    // Imports of one client run one after the other; a dry run needn't wait.
    if (!options.dryRun)
      await db.query("select pg_advisory_lock(hashtext('candor.reviews'), hashtext($1))", [client.id]);
    tally.drop(await sql.dropDuplicates(db));
    for (const dropped of await sql.matchStage(db, client.id)) tally.drop(dropped);
    tally.drop(await sql.attachReplies(db));
    for (const { row, reason } of await sql.stageImages(db)) file.report.warn(row, "images", reason);
    await write(db, client, file, tally, since, options);
    return tally.toReport(file.report);
  });
}

/** Copies rows into the stage while they are read. */
async function stage(
  db: PoolClient,
  file: ReviewFile,
  tally: ImportTally,
  { imageSources, onProgress }: ImportReviewsOptions,
): Promise<void> {
  await sql.createStage(db);
  const toLine = (row: ReadRow): string => {
    tally.read += 1;
    if ("reason" in row) {
      tally.reject(row);
      return "";
    }
    if ("parent" in row) return sql.copyReply(row);
    if (!file.own && row.values.images && !imageSources?.fetch) {
      file.report.repair("pictures_left", row.row, row.values.images.length);
      row.values.images = undefined;
    }
    return sql.copyReview(row);
  };
  await stageRows(db, sql.COPY_REVIEWS, file.batches(), toLine, () => onProgress?.({ read: tally.read, written: 0 }));
}

type Written = { created: number; updated: number; isComplete: boolean };

/** Writes the staged rows in batches, or with `dryRun` finds out what that would do. */
async function write(
  db: PoolClient,
  client: ClientRow,
  file: ReviewFile,
  tally: ImportTally,
  since: Date,
  { dryRun, imageSources, onProgress }: ImportReviewsOptions,
): Promise<void> {
  const today = dayIn(timeZoneOf(client));
  let size = BATCH;
  for (let from = 0; from < tally.read; ) {
    const to = from + size;
    const images = await sql.selectImages(db, client.id, from, to);
    if (images.length > 0) {
      const importedImages = await importImages(client, images, imageSources ?? {}, { dryRun, report: file.report });
      await sql.saveStagedImages(db, from, to, importedImages);
    }
    const batch: RowRange = { clientId: client.id, from, to, own: file.own, today, moment: now() };
    const done = dryRun
      ? { ...(await simulateBatch(db, batch)), isComplete: true }
      : await withErasuresBlocked(db, client.id, async () => {
          tally.drop(await sql.dropErased(db, batch, since));
          return writeBatch(db, batch);
        });
    tally.created += done.created;
    tally.updated += done.updated;
    if (!done.isComplete) {
      size = Math.ceil(Math.min(size, tally.read - from) / 2);
      continue;
    }
    from = to;
    onProgress?.({ read: tally.read, written: Math.min(to, tally.read) });
  }
}

/**
 * Writes a batch, retrying after conflicts: a retry finds what is done already and does the rest. Without `isComplete`
 * it took too long, and the caller tries a smaller batch.
 */
async function writeBatch(db: PoolClient, batch: RowRange): Promise<Written> {
  await db.query(`set statement_timeout = ${WRITE_MS}`);
  try {
    return await tryBatch(db, batch);
  } finally {
    await db.query("set statement_timeout = 0"); // Waiting for an erasure may take long.
  }
}

async function tryBatch(db: PoolClient, batch: RowRange): Promise<Written> {
  let updated = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      updated += await updateBatch(db, batch);
      return { created: await createBatch(db, batch), updated, isComplete: true };
    } catch (error) {
      if (isTooSlow(error) && batch.to - batch.from > 1) return { created: 0, updated, isComplete: false };
      if (attempt === MAX_ATTEMPTS || !(isDuplicate(error) || isSerializationFailure(error) || isTooSlow(error)))
        throw error;
      // A concurrent write may have stored one of these reviews, so match them again.
      await sql.matchStagedRows(db, batch.clientId, batch.from, batch.to);
    }
  }
}

/** A statement timed out: the database is slow, or a row is locked. */
const isTooSlow = (error: unknown): boolean => (error as { code?: string } | null)?.code === "57014";
