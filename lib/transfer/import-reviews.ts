import type { PoolClient } from "pg";
import { type ClientRow, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { StoredReport } from "@/lib/feeds/import-records";
import { runImport, stageRows, Tally } from "@/lib/feeds/run-import";
import { getReadStart, withErasuresBlocked } from "@/lib/orders/erased";
import { dayIn, now } from "@/lib/platform/clock";
import { isDuplicate, isSerializationFailure, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type Batch, createBatch, simulateBatch, updateBatch } from "@/lib/transfer/batch-sql";
import { type ImageSources, importImages } from "@/lib/transfer/import-images";
import { type ReadOptions, type ReviewFile, readReviews } from "@/lib/transfer/read-reviews";
import type { ReadRow } from "@/lib/transfer/review-row";
import * as sql from "./sql";

export type ImportReviewsOptions = ReadOptions & {
  /** says what would happen, and writes nothing */
  dryRun?: boolean;
  /** where the rows come from, for people: a file's name, an address without its query */
  source?: string;
  /** where pictures come from; without an entry they are left out */
  imageSources?: ImageSources;
  onProgress?: (progress: { read: number; written: number }) => void;
};

/** Rows of a statement at first; fewer where it takes too long. */
const BATCH = 1_000;
const ATTEMPTS = 8;
/** What a write may take: incremental readers look back five seconds for what was being committed. */
const WRITE_MS = 4_500;

/**
 * Takes a file of reviews into a client: our own export, or what another service exports (`readReviews`). Rows are known by
 * their external id, our own also by id, so that the same file again changes nothing. What a row leaves out stays as it
 * is; of a doubled id the last row counts.
 *
 * The rows are staged as they are read, and a file that is none is refused before anything is written. Then they go in
 * in batches, each row with its history, replies, pictures and counters in one short statement. An import that dies leaves
 * what is committed; the same one again does the rest. Nothing is sent and nobody is told (decisions 5). Summaries and
 * the reviews' own JSON follow by trigger.
 *
 * - Nothing becomes verified by another service's word. Our own files keep their marks, as all that they say.
 * - Another service's status decides about new reviews, and about known ones as long as nobody decided here.
 * - Votes come with a file until visitors vote here.
 * - People who are erased while the file is read stay away: their rows are `rejected` with the reason `erased`.
 *
 * Throws AppError `not_found` for an unknown client, `invalid_field` (field `file`) for a file that cannot be read.
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
    const tally = new Tally();
    await stage(db, file, tally, options);
    await sql.prepareStage(db, client.id, file.monthFirst);
    // Two imports of one client come one after the other; a rehearsal need not wait.
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

/** Copies the rows into the stage as they are read. */
async function stage(
  db: PoolClient,
  file: ReviewFile,
  tally: Tally,
  { imageSources, onProgress }: ImportReviewsOptions,
): Promise<void> {
  await sql.makeStage(db);
  const toLine = (row: ReadRow): string => {
    tally.read += 1;
    if ("reason" in row) {
      tally.reject(row);
      return "";
    }
    if ("parent" in row) return sql.copyReply(row);
    if (!file.own && row.given.images && !imageSources?.fetch) {
      file.report.repair("pictures_left", row.row, row.given.images.length);
      row.given.images = undefined;
    }
    return sql.copyReview(row);
  };
  await stageRows(db, sql.COPY_REVIEWS, file.batches(), toLine, () => onProgress?.({ read: tally.read, written: 0 }));
}

type Written = { created: number; updated: number; isComplete: boolean };

/** Writes the staged rows batch by batch, or finds out what that would do. */
async function write(
  db: PoolClient,
  client: ClientRow,
  file: ReviewFile,
  tally: Tally,
  since: Date,
  { dryRun, imageSources, onProgress }: ImportReviewsOptions,
): Promise<void> {
  const today = dayIn(timeZoneOf(client));
  let size = BATCH;
  for (let from = 0; from < tally.read; ) {
    const to = from + size;
    const images = await sql.selectImages(db, client.id, from, to);
    if (images.length > 0) {
      const kept = await importImages(client, images, imageSources ?? {}, { dryRun, report: file.report });
      await sql.saveStagedImages(db, from, to, kept);
    }
    const batch: Batch = { clientId: client.id, from, to, own: file.own, today, moment: now() };
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
 * Does a batch; again where others stood in its way, which finds what it has done already and does the rest. Not `isComplete`:
 * it is too much for its time, and the caller tries less of it.
 */
async function writeBatch(db: PoolClient, batch: Batch): Promise<Written> {
  await db.query(`set statement_timeout = ${WRITE_MS}`);
  try {
    return await tryBatch(db, batch);
  } finally {
    await db.query("set statement_timeout = 0"); // an erasure that is waited for takes its time
  }
}

async function tryBatch(db: PoolClient, batch: Batch): Promise<Written> {
  let updated = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      updated += await updateBatch(db, batch);
      return { created: await createBatch(db, batch), updated, isComplete: true };
    } catch (error) {
      if (isTooSlow(error) && batch.to - batch.from > 1) return { created: 0, updated, isComplete: false };
      if (attempt === ATTEMPTS || !(isDuplicate(error) || isSerializationFailure(error) || isTooSlow(error)))
        throw error;
      // Somebody stored one of these reviews meanwhile, so it is a known one now.
      await sql.match(db, batch.clientId, batch.from, batch.to);
    }
  }
}

/** A statement that ran out of its time: the database is slow, or somebody holds a row. */
const isTooSlow = (error: unknown): boolean => (error as { code?: string } | null)?.code === "57014";
