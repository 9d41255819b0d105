import { notify } from "@/lib/accounts/notifications/notify";
import { failureNotice, type StoredReport } from "@/lib/feeds/import-records";
import { recordFact } from "@/lib/honesty/record-fact";
import { type Db, pool, transaction } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import type { FoundReport } from "@/lib/transfer/imports/schema";
import {
  type ColumnMapping,
  type ImportStatus,
  type ImportStep,
  MAX_LISTED_ROWS,
  runningStatus,
  UNDO_DAYS,
} from "@/lib/transfer/imports/values";
import type { ReviewFile } from "@/lib/transfer/read-reviews";
import type { ExportKind } from "@/lib/transfer/schema";

// Rows of `review_imports`. Every change of state is one guarded update, so that of two people or jobs one is first.

export type ImportRow = {
  client_id: string;
  id: string;
  kind: ExportKind;
  layout: string;
  filename: string;
  parts: number | null;
  columns: string[];
  mapping: ColumnMapping;
  pending: boolean;
  fetch_photos: boolean;
  status: ImportStatus;
  failed_step: ImportStep | null;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  processed: number;
  total: number;
  report: FoundReport | Record<string, never>;
  error: string | null;
  requested_by: string | null;
  created_at: Date;
  touched_at: Date;
  imported_at: Date | null;
  undone_at: Date | null;
};

/** A running import says so every few seconds (`whileTouching`); after this long without it died. */
export const STALLED_SQL = "touched_at < now() - interval '2 minutes'";

/** One import. Throws `not_found`. */
export async function requireImport(clientId: string, id: string, db: Db = pool()): Promise<ImportRow> {
  const { rows } = await db.query<ImportRow>("select * from review_imports where client_id = $1 and id = $2", [
    clientId,
    id,
  ]);
  if (!rows[0]) throw new AppError("not_found", { reason: "import_not_found" });
  return rows[0];
}

/** An import by the admin command, which is running already. */
export async function createCommandImport(clientId: string, source: string): Promise<string> {
  const id = newId("imp");
  await pool().query(
    `insert into review_imports (client_id, id, kind, layout, filename, status) values ($1, $2, 'reviews', 'csv', $3, 'importing')`,
    [clientId, id, source],
  );
  return id;
}

/** A report, and the number of reviews that were or would be created: several rows can belong to one. */
export type ImportResult = { report: StoredReport; items: number };

/** A report without values of the file: they could be customers' texts or addresses. */
function toStored({ report, items }: ImportResult) {
  const { rejected, repairs, warnings, warningCount, encoding, incomplete, incomplete_reason } = report;
  const reasons: Record<string, number> = {};
  for (const { reason } of rejected) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return JSON.stringify({
    items,
    reasons,
    rejected: rejected.slice(0, MAX_LISTED_ROWS),
    repairs,
    warnings: warnings.map(({ row, field, reason }) => ({ row, field, reason })),
    warningCount,
    encoding,
    incomplete,
    incomplete_reason,
  } satisfies FoundReport);
}

const counts = ({ read, created, updated, unchanged, rejectedCount }: StoredReport) => [
  read,
  created,
  updated,
  unchanged,
  rejectedCount,
];

/** Saves what a check found. Does nothing if the import was changed meanwhile. */
export async function finishCheck(clientId: string, id: string, result: ImportResult): Promise<void> {
  await pool().query(
    `update review_imports set status = 'checked', read = $3, created = $4, updated = $5, unchanged = $6, rejected = $7,
            report = $8, error = null where client_id = $1 and id = $2 and status = 'checking'`,
    [clientId, id, ...counts(result.report), toStored(result)],
  );
}

/** Saves what an import did, with what the file turned out to be. */
export async function finishImport(
  clientId: string,
  id: string,
  result: ImportResult,
  { kind, layout }: Pick<ReviewFile, "kind" | "layout">,
): Promise<void> {
  await transaction(async (db) => {
    const { rows } = await db.query<Requested>(
      `update review_imports set status = 'imported', read = $3, created = $4, updated = $5, unchanged = $6, rejected = $7,
              report = $8, kind = $9, layout = $10, columns = '[]', error = null, imported_at = now()
        where client_id = $1 and id = $2 and status = 'importing' returning filename, requested_by`,
      [clientId, id, ...counts(result.report), toStored(result), kind, layout],
    );
    const { created, updated } = result.report;
    if (rows[0]) await recordFact(db, clientId, "import", { of: kind, created, updated });
    await notifyRequester(db, clientId, id, rows[0], "import_done");
  });
}

type Requested = Pick<ImportRow, "filename" | "requested_by">;

/** Notifies the person who started an import. The command's have none. */
async function notifyRequester(
  db: Db,
  clientId: string,
  id: string,
  row: Requested | undefined,
  kind: "import_done" | "import_failed",
): Promise<void> {
  if (row?.requested_by)
    await notify(db, {
      clientId,
      to: { userIds: [row.requested_by] },
      kind,
      params: { file: row.filename },
      path: `/portal/imports/${id}`,
      dedupeKey: `${kind}:${id}`,
    });
}

/** Records why a step failed, for the portal; the caller shows or logs the cause. */
export async function failStep(clientId: string, id: string, step: ImportStep, error: unknown): Promise<void> {
  try {
    await transaction(async (db) => {
      const { rows } = await db.query<Requested>(
        `update review_imports set status = 'failed', failed_step = $3, error = $4
          where client_id = $1 and id = $2 and status = $5 returning filename, requested_by`,
        [clientId, id, step, failureNotice(error), runningStatus[step]],
      );
      // The job tries again after other errors.
      const isFinal = error instanceof AppError && error.code !== "unavailable";
      if (step === "import" && isFinal) await notifyRequester(db, clientId, id, rows[0], "import_failed");
    });
  } catch (saveError) {
    // Throwing the first error matters more. Without progress the import shows as interrupted.
    log.warn({ err: saveError, import: id }, "could not save import error");
  }
}

const TOUCH_MS = 1_000;

/** Reports progress at most once a second. Failing to do so doesn't affect the import. */
export function progressOf(clientId: string, id: string): (processed: number, total: number) => void {
  let last = 0;
  return (processed, total) => {
    if (Date.now() - last < TOUCH_MS) return;
    last = Date.now();
    pool()
      .query(
        "update review_imports set processed = $3, total = $4, touched_at = now() where client_id = $1 and id = $2",
        [clientId, id, processed, total],
      )
      .catch((error) => log.warn({ err: error, import: id }, "could not save progress"));
  };
}

const TOUCH_INTERVAL_MS = 20_000;

/** Runs a step, and records every few seconds that it still runs, also while it waits or reports no progress. */
export async function whileTouching<T>(clientId: string, id: string, work: () => Promise<T>): Promise<T> {
  const touch = () =>
    pool()
      .query("update review_imports set touched_at = now() where client_id = $1 and id = $2", [clientId, id])
      .catch((error) => log.warn({ err: error, import: id }, "could not record that an import runs"));
  const timer = setInterval(touch, TOUCH_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Deletes what can no longer be undone from the lists of what imports created, of one client if given. */
export async function purgeImportItems(limit = 5_000, clientId: string | null = null): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from review_import_items where (client_id, import_id, id) in (
       select x.client_id, x.import_id, x.id
         from review_imports i join review_import_items x on x.client_id = i.client_id and x.import_id = i.id
        where i.created_at < now() - interval '${UNDO_DAYS + 1} days'
          and coalesce(i.imported_at, i.created_at) < now() - interval '${UNDO_DAYS + 1} days'
          and ($2::text is null or i.client_id = $2) limit $1)`,
    [limit, clientId],
  );
  return rowCount ?? 0;
}

/** Deletes imports that were never made, whose files are gone, and old ones. */
export const purgeReviewImports = createPurge("review_imports", {
  key: "client_id, id",
  timeColumn: "created_at",
  maxAge: "7 days",
  where: `(created_at < now() - interval '1 year' or status in ('uploaded', 'checking', 'checked')
           or (status = 'failed' and failed_step = 'check'))`,
  batchSize: 1_000,
});
