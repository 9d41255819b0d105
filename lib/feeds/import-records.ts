import type { ImportReport } from "@/lib/feeds/import-products";
import { type Db, pool } from "@/lib/platform/db/pool";
import { purgeOf } from "@/lib/platform/db/purge";
import { AppError } from "@/lib/platform/errors";
import { englishReason } from "@/lib/platform/i18n/english-errors";
import { newId } from "@/lib/platform/ids";
import type { Reason } from "@/lib/platform/issue";
import { log } from "@/lib/platform/log";
import { type EncodedNotices, encodeError, encodeNotices } from "@/lib/platform/notices";

// The life of an import in `feed_imports`: `running`, at last `done` with its counts; of products `following` in between,
// while reviews are given the families of their products. Or `refused` (the file or its deletions) or `failed` (anything
// else).

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

/** Why the end of a file was not seen, as a report tells it. */
export const incompleteFields = (reason: Reason | null) => ({
  incomplete: reason && englishReason(reason),
  incomplete_reason: reason,
});

const MAX_STORED_REJECTIONS = 1_000;

/** Where an import comes from: its source for people, and the setting or the waiting import that it belongs to. */
export type ImportOrigin = {
  source?: string;
  /** the feed setting that it is a run of */
  feedId?: string;
  /** of an import that is written already and waits, or that a crash broke off */
  importId?: string;
};

/** Throws `not_found` for a client that does not exist. Imports that died are marked so on the way. */
export async function createImport(
  clientId: string,
  kind: ImportKind,
  { source, feedId, importId }: ImportOrigin,
): Promise<string> {
  const id = importId ?? newId("imp");
  const { rowCount } = await pool().query(
    `insert into feed_imports (client_id, id, feed_id, kind, source, status)
     select id, $2, $3, $5, $4, 'running' from clients where id = $1
     on conflict (client_id, id) do update set status = 'running', error = null, started_at = now(), finished_at = null`,
    [clientId, id, feedId ?? null, source ?? "upload", kind],
  );
  if (rowCount === 0) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  // A running import holds a lock of its own from shortly after its row is written (see run-import.ts).
  await pool().query(
    `update feed_imports set status = 'failed', error = $3, finished_at = now()
      where client_id = $1 and kind = $2 and status = 'running' and started_at < now() - interval '1 minute'
        and pg_try_advisory_xact_lock(hashtext('candor.import'), hashtext(id))`,
    [clientId, kind, encodeNotices({ reason: "import_interrupted" })],
  );
  return id;
}

/** In a product import part of the merge's transaction: the counts are there exactly when the products are. */
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
}

/** Imports after which reviews have yet to follow their products: this one, and any that died at that point. */
export async function listImportsToFinish(clientId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "select id from feed_imports where client_id = $1 and kind = 'products' and status = 'following'",
    [clientId],
  );
  return rows.map((row) => row.id);
}

export async function finishImports(clientId: string, ids: string[]): Promise<void> {
  await pool().query(
    "update feed_imports set status = 'done', finished_at = now() where client_id = $1 and id = any($2) and status = 'following'",
    [clientId, ids],
  );
}

/** Why an import failed, for whoever reads the list. */
export const failureNotice = (error: unknown): EncodedNotices =>
  error instanceof AppError ? encodeError(error) : encodeNotices({ reason: "import_failed" });

const codeOf = (error: unknown): string | null => (error instanceof AppError ? error.code : null);

/** What went wrong, for the reader of the list; the cause itself is the caller's to show or log. */
export async function failImport(clientId: string, id: string, error: unknown): Promise<void> {
  const refused = error instanceof AppError && (error.code === "conflict" || error.code === "invalid_field");
  const message = failureNotice(error);
  try {
    await pool().query(
      `update feed_imports set status = $3, error = $4, report = $5, finished_at = now()
        where client_id = $1 and id = $2 and status = 'running'`,
      [clientId, id, refused ? "refused" : "failed", message, JSON.stringify({ refusal: codeOf(error) })],
    );
  } catch (saveError) {
    // The first error is what the caller must see; the row is marked as interrupted by the next import.
    log.warn({ err: saveError, import: id }, "could not save import error");
  }
}

/** Removes reports of imports, so that a feed which fails every hour does not fill the list for ever. */
export const purgeImports = purgeOf("feed_imports", {
  key: "client_id, id",
  timeColumn: "finished_at",
  maxAge: "90 days",
  where: "status in ('done', 'refused', 'failed')",
  batchSize: 1_000,
});
