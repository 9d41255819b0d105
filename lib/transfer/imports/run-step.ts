import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { deleteUpload } from "@/lib/feeds/upload-feed";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { importPortalFile } from "@/lib/transfer/import-reviews";
import { fileOf } from "@/lib/transfer/imports/prepare-import";
import {
  failStep,
  finishCheck,
  finishImport,
  type ImportRow,
  progressOf,
  requireImport,
  whileTouching,
} from "@/lib/transfer/imports/records";
import { undoImport } from "@/lib/transfer/imports/undo-import";
import { type ImportStep, runningStatus } from "@/lib/transfer/imports/values";

/**
 * Runs a requested step of an import. May be repeated, also after a crash in the middle: what is written stays, and the
 * rest follows. Steps that are no longer wanted are skipped. Errors of the file or of a person end the step; others are
 * thrown, and the job tries again.
 */
export async function runStep(
  clientId: string,
  id: string,
  step: ImportStep,
): Promise<{ outcome: "done" | "failed" | "skipped" }> {
  const [client, row] = [await readClient(pool(), clientId), await claim(clientId, id, step)];
  if (!client || !row) return { outcome: "skipped" };
  try {
    await whileTouching(clientId, id, () => (step === "undo" ? undoImport(client, id) : readFileOf(client, row, step)));
  } catch (error) {
    if (error instanceof NoLongerWantedError) return { outcome: "skipped" };
    await failStep(clientId, id, step, error);
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    log.info({ import: id, client: clientId, step, reason: error.code }, "could not finish import");
    return { outcome: "failed" };
  }
  return { outcome: "done" };
}

/** The import if this step of it is requested, or failed and wasn't given up. */
async function claim(clientId: string, id: string, step: ImportStep): Promise<ImportRow | null> {
  const { rows } = await pool().query<ImportRow>(
    `update review_imports set status = $3, failed_step = null, error = null, touched_at = now()
      where client_id = $1 and id = $2 and (status = $3 or (status = 'failed' and failed_step = $4)) returning *`,
    [clientId, id, runningStatus[step], step],
  );
  return rows[0] ?? null;
}

/** Another job finished the step, or a person did something else meanwhile. */
class NoLongerWantedError extends Error {
  override name = "NoLongerWantedError";
}

async function readFileOf(client: ClientRow, row: ImportRow, step: "check" | "import"): Promise<void> {
  const { id, mapping, pending, fetch_photos } = row;
  const file = await fileOf(client, id);
  if (!file) throw new AppError("conflict", { reason: "import_file_deleted" });
  const setProgress = progressOf(client.id, id);
  const isCheck = step === "check";
  const { done, file: read } = await importPortalFile(client, file.input, {
    ...{ importId: id, mapping, pending, createOnly: true, dryRun: isCheck, since: file.upload.created_at },
    // A check doesn't download photos. Our own files name photos that a file alone doesn't have.
    imageSources: { fetch: fetch_photos && !isCheck },
    // First all rows are read, then they are written.
    onProgress: ({ read, written }) => (written > 0 ? setProgress(written, read) : setProgress(read, 0)),
    onTurn: async () => {
      const { status } = await requireImport(client.id, id);
      if (status !== runningStatus[step]) throw new NoLongerWantedError();
    },
  });
  if (isCheck) await finishCheck(client.id, id, done);
  else {
    await finishImport(client.id, id, done, read);
    await deleteUpload(file.upload);
  }
}
