import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { importLane } from "@/lib/feeds/import-lane";
import { findUploadOf } from "@/lib/feeds/upload-feed";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";
import { requireImport, STALLED_SQL } from "@/lib/transfer/imports/records";
import { type ImportStep, runningStatus, UNDO_DAYS } from "@/lib/transfer/imports/values";

/** SQL condition: the import was made less than {@link UNDO_DAYS} ago, whole or in part, and no job works on it. */
export const CAN_UNDO_SQL = `(
  (status = 'imported' or (status = 'failed' and failed_step in ('import', 'undo')) or (status in ('importing', 'undoing') and ${STALLED_SQL}))
  and coalesce(imported_at, created_at) > now() - interval '${UNDO_DAYS} days')`;

/** From where each step may be started. A stalled one may be started again. */
const startable: Record<ImportStep, string> = {
  check: `(status in ('uploaded', 'checked') or (status = 'failed' and failed_step = 'check') or (status = 'checking' and ${STALLED_SQL}))`,
  import: `(status = 'checked' or (status = 'failed' and failed_step = 'import') or (status = 'importing' and ${STALLED_SQL}))`,
  undo: CAN_UNDO_SQL,
};

const audited = { import: "reviews.imported", undo: "reviews.import_undone" } as const;

/**
 * Starts a step of an import as a job. While the step runs, repeated calls do nothing. Throws `not_found`, and
 * `conflict` if the import isn't ready for it, its file is deleted, or it's too old to be undone.
 */
export async function requestStep(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  id: string,
  step: ImportStep,
): Promise<void> {
  const upload = await findUploadOf(client, id);
  await transaction(async (db) => {
    const row = await requireImport(client.id, id, db);
    if (step !== "undo" && !upload && row.status !== runningStatus[step] && row.status !== "imported")
      throw new AppError("conflict", { reason: "import_file_deleted" });
    const { rowCount } = await db.query(
      `update review_imports set status = $3, failed_step = null, error = null, processed = 0, total = 0,
              requested_by = $4, touched_at = now()
        where client_id = $1 and id = $2 and ${startable[step]}`,
      [client.id, id, runningStatus[step], actor.kind === "user" ? actor.id : null],
    );
    if (rowCount === 0) {
      const { status } = await requireImport(client.id, id, db);
      if (status === runningStatus[step]) return;
      throw new AppError("conflict", {
        reason: step === "undo" && status === "imported" ? "import_too_old" : "import_not_ready",
        params: { days: UNDO_DAYS },
      });
    }
    if (step !== "check") {
      const detail = { kind: row.kind, filename: row.filename };
      await recordAudit(db, { clientId: client.id, actor, action: audited[step], subject: id, detail });
    }
    const data = { client_id: client.id, import_id: id, step, lane: importLane(client.id) };
    await enqueue(db, [{ name: "import/requested", data }]);
  });
  wakeRelay();
}
