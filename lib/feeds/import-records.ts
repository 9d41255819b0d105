import { notify } from "@/lib/accounts/notifications/notify";
import type { ImportReport } from "@/lib/feeds/import-products";
import { type Db, pool, transaction } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";
import { AppError } from "@/lib/platform/errors";
import { englishReason } from "@/lib/platform/i18n/english-errors";
import { newId } from "@/lib/platform/ids";
import type { Reason } from "@/lib/platform/issue";
import { log } from "@/lib/platform/log";
import { type EncodedNotices, encodeError, encodeNotices } from "@/lib/platform/notices";

// States of an import in `feed_imports`: `running`, then `done` with its counts. Product imports are `following` in
// between, while reviews get the families of their products. `refused`: the file or its deletions; `failed`: any other
// error.

export type ImportKind = "products" | "orders" | "reviews" | "externals";

export type StoredReport = Pick<
  ImportReport,
  | "read"
  | "created"
  | "updated"
  | "unchanged"
  | "deleted"
  | "rejected"
  | "rejectedCount"
  | "repairs"
  | "warnings"
  | "warningCount"
  | "encoding"
  | "incomplete"
  | "incomplete_reason"
>;

/** Why the end of the file is missing, as fields of a report. */
export const incompleteFields = (reason: Reason | null) => ({
  incomplete: reason && englishReason(reason),
  incomplete_reason: reason,
});

const MAX_STORED_REJECTIONS = 1_000;

/** Source of an import for display, and its feed or queued import. */
export type ImportOrigin = {
  source?: string;
  /** The feed this is a run of. */
  feedId?: string;
  /** An existing import: a queued one, or one that a crash interrupted. */
  importId?: string;
};

/** Another run of the same import has ended it. */
export class ImportEndedError extends Error {}

/** Throws `not_found` for an unknown client, `ImportEndedError` for an ended import. Also marks imports that died. */
export async function createImport(
  clientId: string,
  kind: ImportKind,
  { source, feedId, importId }: ImportOrigin,
): Promise<string> {
  const id = importId ?? newId("imp");
  const { rowCount } = await pool().query(
    `insert into feed_imports (client_id, id, feed_id, kind, source, status)
     select id, $2, $3, $5, $4, 'running' from clients where id = $1
     on conflict (client_id, id) do update set status = 'running', error = null, started_at = now(), finished_at = null
      where feed_imports.status in ('queued', 'running', 'failed')`,
    [clientId, id, feedId ?? null, source ?? "upload", kind],
  );
  if (rowCount === 0) {
    const { rowCount: ended } = await pool().query("select from feed_imports where client_id = $1 and id = $2", [
      clientId,
      id,
    ]);
    if (ended) throw new ImportEndedError(id);
    throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  }
  // A running import holds an advisory lock (see `run-import.ts`).
  await pool().query(
    `update feed_imports set status = 'failed', error = $3, finished_at = now()
      where client_id = $1 and kind = $2 and status = 'running' and started_at < now() - interval '1 minute'
        and pg_try_advisory_xact_lock(hashtext('candor.import'), hashtext(id))`,
    [clientId, kind, encodeNotices({ reason: "import_interrupted" })],
  );
  return id;
}

/** In a product import, part of the merge's transaction, so counts and products are committed together. */
export async function saveReport(
  db: Db,
  clientId: string,
  id: string,
  report: StoredReport,
  { followed }: { followed: boolean } = { followed: true },
): Promise<void> {
  const { repairs, warnings, warningCount, encoding, incomplete, incomplete_reason } = report;
  const rejected = report.rejected.slice(0, MAX_STORED_REJECTIONS);
  const stored = { rejected, repairs, warnings, warningCount, encoding, incomplete, incomplete_reason };
  await db.query(
    `update feed_imports set status = $3, read = $4, created = $5, updated = $6, unchanged = $7, deleted = $8, rejected = $9,
            report = $10, finished_at = case when $3 = 'done' then clock_timestamp() end
      where client_id = $1 and id = $2`,
    [
      clientId,
      id,
      followed ? "done" : "following",
      report.read,
      report.created,
      report.updated,
      report.unchanged,
      report.deleted,
      report.rejectedCount,
      JSON.stringify(stored),
    ],
  );
  if (followed) await notifyImporters(db, clientId, [id], "import_done");
}

/** Notifies the people who uploaded the files of these imports. */
async function notifyImporters(
  db: Db,
  clientId: string,
  ids: string[],
  kind: "import_done" | "import_failed",
): Promise<void> {
  const { rows } = await db.query<{ import_id: string; filename: string; started_by: string }>(
    `select import_id, filename, started_by from feed_uploads
      where client_id = $1 and import_id = any($2) and started_by is not null order by import_id`,
    [clientId, ids],
  );
  await notify(
    db,
    ...rows.map(({ import_id, filename, started_by }) => ({
      clientId,
      to: { userIds: [started_by] },
      kind,
      params: { file: filename },
      path: `/portal/feeds/${import_id}`,
      dedupeKey: `import:${import_id}`,
    })),
  );
}

/** Product imports whose reviews have yet to follow: this one, and any that died at that point. */
export async function listImportsToFinish(clientId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "select id from feed_imports where client_id = $1 and kind = 'products' and status = 'following'",
    [clientId],
  );
  return rows.map((row) => row.id);
}

export async function finishImports(clientId: string, ids: string[]): Promise<void> {
  await transaction(async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `update feed_imports set status = 'done', finished_at = now()
        where client_id = $1 and id = any($2) and status = 'following' returning id`,
      [clientId, ids],
    );
    await notifyImporters(
      db,
      clientId,
      rows.map(({ id }) => id),
      "import_done",
    );
  });
}

/** Reason of a failed import, for the list. */
export const failureNotice = (error: unknown): EncodedNotices =>
  error instanceof AppError ? encodeError(error) : encodeNotices({ reason: "import_failed" });

const codeOf = (error: unknown): string | null => (error instanceof AppError ? error.code : null);

/**
 * Records the error for the list; the caller shows or logs the cause. Notifies who uploaded the file, unless the import
 * is repeated: after an outage or an unexpected error.
 */
export async function failImport(clientId: string, id: string, error: unknown): Promise<void> {
  const refused = error instanceof AppError && (error.code === "conflict" || error.code === "invalid_field");
  const message = failureNotice(error);
  try {
    await transaction(async (db) => {
      const { rowCount } = await db.query(
        `update feed_imports set status = $3, error = $4, report = $5, finished_at = now()
          where client_id = $1 and id = $2 and status = 'running'`,
        [clientId, id, refused ? "refused" : "failed", message, JSON.stringify({ refusal: codeOf(error) })],
      );
      const isFinal = error instanceof AppError && error.code !== "unavailable";
      if (rowCount === 1 && isFinal) await notifyImporters(db, clientId, [id], "import_failed");
    });
  } catch (saveError) {
    // Throwing the first error matters more; the next import marks this row as interrupted.
    log.warn({ err: saveError, import: id }, "could not save import error");
  }
}

/** Deletes old import reports, so a feed that fails every hour doesn't grow the list forever. */
export const purgeImports = createPurge("feed_imports", {
  key: "client_id, id",
  timeColumn: "finished_at",
  maxAge: "90 days",
  where: "status in ('done', 'refused', 'failed')",
  batchSize: 1_000,
});
