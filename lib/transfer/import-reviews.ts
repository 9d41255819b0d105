import type { PoolClient } from "pg";
import { type ClientRow, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { StoredReport } from "@/lib/feeds/import-records";
import { ImportTally, stageRows, withSession } from "@/lib/feeds/run-import";
import { getReadStart, withErasuresBlocked } from "@/lib/orders/erased-hashes";
import { dayIn, now } from "@/lib/platform/clock";
import { isDuplicate, isSerializationFailure, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { createBatch, type RowRange, selectAppealedRows, simulateBatch, updateBatch } from "@/lib/transfer/batch-sql";
import { type ImageSources, importImages } from "@/lib/transfer/import-images";
import {
  createCommandImport,
  failStep,
  finishImport,
  type ImportResult,
  requireImport,
  whileTouching,
} from "@/lib/transfer/imports/records";
import {
  COPY_ITEMS,
  copyItem,
  countNewItems,
  createItemStage,
  createItems,
  matchItemRows,
  matchItems,
} from "@/lib/transfer/item-sql";
import { type ReadOptions, type ReviewFile, readReviews } from "@/lib/transfer/read-reviews";
import type { ReadRow } from "@/lib/transfer/review-row";
import type { ExportKind } from "@/lib/transfer/schema";
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

/** What the portal's imports need besides. */
export type PortalImport = ImportReviewsOptions & {
  importId: string;
  /** Leaves existing reviews unchanged, so that an undo restores what was there before. */
  createOnly: true;
  /** When the file was uploaded: it may contain people who were erased since. */
  since: Date;
  /** Called once no other import of the client runs; throws if this one is no longer wanted. */
  onTurn?: (db: PoolClient) => Promise<void>;
};

/** Initial rows per statement; halved if it takes too long. */
const BATCH = 1_000;
const MAX_ATTEMPTS = 8;
/** Time limit of a write: incremental readers look back five seconds for uncommitted rows. */
const WRITE_MS = 4_500;

/**
 * Imports a file of reviews, seller reviews or questions: our own export, or another service's reviews (`readReviews`).
 * Reviews are matched by external id, our own also by id, so the same file again changes nothing. What a row leaves out
 * stays unchanged; of duplicates, the last row counts. Seller reviews and questions are matched by id, and existing ones
 * stay unchanged.
 *
 * Rows are staged while they are read, and an invalid file is rejected before anything is written. Then batches are
 * written, each in one short statement with history, replies, images and counters. If the import dies, committed
 * batches stay; repeating it does the rest. Nothing is sent. Summaries and the reviews' JSON follow by
 * trigger.
 *
 * - Other services' files don't mark anything as verified. Our own files are trusted, including their marks.
 * - Another service's status applies to new reviews, and to existing ones until they are decided here.
 * - No file decides an author's appeal: the review keeps its status, and the report warns.
 * - Vote counts are imported until visitors vote here.
 * - Rows about people who are erased while the file is read are `rejected` as `erased`.
 *
 * The import is recorded with what it created, so that it can be undone. Throws `not_found` for an unknown client,
 * `invalid_field` (field `file`) for an unreadable file.
 */
export async function importReviews(
  clientId: string,
  input: AsyncIterable<Uint8Array>,
  options: ImportReviewsOptions = {},
): Promise<StoredReport> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const file = readReviews(input, client, options);
  if (options.dryRun) return (await readAndWrite(client, file, options)).report;
  const importId = await createCommandImport(client.id, options.source ?? "upload");
  try {
    // It may have waited so long for another import that a person took it for interrupted, and undid it.
    const onTurn = async () => {
      const { status } = await requireImport(client.id, importId);
      if (status !== "importing") throw new AppError("conflict", { reason: "import_undone" });
    };
    const done = await whileTouching(client.id, importId, () =>
      readAndWrite(client, file, { ...options, importId, onTurn }),
    );
    await finishImport(client.id, importId, done, file);
    return done.report;
  } catch (error) {
    await failStep(client.id, importId, "import", error);
    throw error;
  }
}

/** {@link importReviews} for an import that exists already; the caller saves its report or error. */
export async function importPortalFile(
  client: ClientRow,
  input: AsyncIterable<Uint8Array>,
  options: PortalImport,
): Promise<{ done: ImportResult; file: ReviewFile }> {
  const file = readReviews(input, client, options);
  return { done: await readAndWrite(client, file, options), file };
}

type WriteOptions = ImportReviewsOptions & Partial<Omit<PortalImport, keyof ImportReviewsOptions>>;

/** Reads a file and writes it in batches, on a connection of its own. */
const readAndWrite = (client: ClientRow, file: ReviewFile, options: WriteOptions): Promise<ImportResult> =>
  withSession(null, async (db) => {
    const readStart = await getReadStart(db, client.id);
    const since = options.since && options.since < readStart ? options.since : readStart;
    const tally = new ImportTally();
    await stage(db, file, tally, options);
    // Imports of one client run one after the other; a dry run needn't wait.
    if (!options.dryRun) await lockImports(db, client.id);
    await options.onTurn?.(db);
    if (file.kind === "reviews") {
      await sql.prepareStage(db, client.id, file.monthFirst());
      tally.drop(await sql.dropDuplicates(db));
      for (const dropped of await sql.matchStage(db, client.id)) tally.drop(dropped);
      tally.drop(await sql.attachReplies(db));
      const appealedRows = options.createOnly ? [] : await selectAppealedRows(db, client.id);
      for (const row of appealedRows) file.report.warn(row, "accepted", "appeal_open");
    } else tally.drop(await matchItems(db, file.kind, client.id));
    for (const { row, reason } of await sql.stageImages(db)) file.report.warn(row, "images", reason);
    if (options.createOnly || file.kind !== "reviews") await sql.dropKnownImages(db);
    await write(db, client, file, tally, since, options);
    let items: number;
    if (options.dryRun || options.importId === undefined) items = await sql.countNew(db);
    else ({ rows: tally.created, items } = await sql.countCreated(db, client.id, options.importId));
    return { report: tally.toReport(file.report), items };
  });

/** Waits for other imports of the client, and for undoing one; until the connection is closed. */
export const lockImports = (db: PoolClient, clientId: string) =>
  db.query("select pg_advisory_lock(hashtext('candor.reviews'), hashtext($1))", [clientId]);

/** Copies rows into the stage while they are read. */
async function stage(
  db: PoolClient,
  file: ReviewFile,
  tally: ImportTally,
  { imageSources, onProgress }: ImportReviewsOptions,
): Promise<void> {
  // The first rows tell what the file contains.
  const batches = file.batches();
  const first = await batches.next();
  async function* all(): AsyncGenerator<ReadRow[]> {
    if (!first.done) yield first.value;
    yield* batches;
  }
  const isReviews = file.kind === "reviews";
  await (isReviews ? sql.createStage(db) : createItemStage(db));
  const toLine = (row: ReadRow): string => {
    tally.read += 1;
    if ("reason" in row) {
      tally.reject(row);
      return "";
    }
    if ("parent" in row) return sql.copyReply(row);
    if ("item" in row) return copyItem(row);
    if (!file.own && row.values.images && !imageSources?.fetch) {
      file.report.repair("pictures_left", row.row, row.values.images.length);
      row.values.images = undefined;
    }
    return sql.copyReview(row);
  };
  const copy = isReviews ? sql.COPY_REVIEWS : COPY_ITEMS;
  await stageRows(db, copy, all(), toLine, () => onProgress?.({ read: tally.read, written: 0 }));
}

type Written = { created: number; updated: number; isComplete: boolean };
type Batch = RowRange & { kind: ExportKind; createOnly: boolean };

/** Writes the staged rows in batches, or with `dryRun` finds out what that would do. */
async function write(
  db: PoolClient,
  client: ClientRow,
  file: ReviewFile,
  tally: ImportTally,
  since: Date,
  { dryRun, imageSources, onProgress, importId = "", createOnly }: WriteOptions,
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
    const batch: Batch = {
      kind: file.kind,
      createOnly: createOnly ?? false,
      ...{ importId, clientId: client.id, from, to, own: file.own, today, moment: now() },
    };
    const done = dryRun
      ? await simulate(db, batch)
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

async function simulate(db: PoolClient, { kind, createOnly, ...range }: Batch): Promise<Written> {
  if (kind !== "reviews") return { created: await countNewItems(db, range), updated: 0, isComplete: true };
  const { created, updated } = await simulateBatch(db, range);
  return { created, updated: createOnly ? 0 : updated, isComplete: true };
}

/**
 * Writes a batch, retrying after conflicts: a retry finds what is done already and does the rest. Without `isComplete`
 * it took too long, and the caller tries a smaller batch.
 */
async function writeBatch(db: PoolClient, batch: Batch): Promise<Written> {
  await db.query(`set statement_timeout = ${WRITE_MS}`);
  try {
    return await tryBatch(db, batch);
  } finally {
    await db.query("set statement_timeout = 0"); // Waiting for an erasure may take long.
  }
}

async function tryBatch(db: PoolClient, { kind, createOnly, ...range }: Batch): Promise<Written> {
  const { clientId, from, to } = range;
  let updated = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      if (kind !== "reviews") return { created: await createItems(db, kind, range), updated, isComplete: true };
      for (let again = !createOnly; again; ) {
        const { rows, has_changed } = await updateBatch(db, range);
        updated += rows;
        again = has_changed;
      }
      return { created: await createBatch(db, range), updated, isComplete: true };
    } catch (error) {
      if (isTooSlow(error) && to - from > 1) return { created: 0, updated, isComplete: false };
      if (attempt === MAX_ATTEMPTS || !(isDuplicate(error) || isSerializationFailure(error) || isTooSlow(error)))
        throw error;
      // A concurrent write may have stored one of these reviews, so match them again.
      await (kind === "reviews"
        ? sql.matchStagedRows(db, clientId, from, to)
        : matchItemRows(db, kind, clientId, from, to));
    }
  }
}

/** A statement timed out: the database is slow, or a row is locked. */
const isTooSlow = (error: unknown): boolean => (error as { code?: string } | null)?.code === "57014";
