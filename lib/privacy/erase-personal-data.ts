import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { redactReports } from "@/lib/feeds/redact-reports";
import { deletePersonalUploads } from "@/lib/feeds/upload-feed";
import { tryLockInvitations } from "@/lib/invitations/try-lock-invitations";
import { now } from "@/lib/platform/clock";
import { databaseCode, isSerializationFailure, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";
import { eraseUpToLimit } from "@/lib/privacy/erase-up-to-limit";
import { addErasedCounts, ErasureBatch } from "@/lib/privacy/erasure-batch";
import {
  closeRequest,
  type ErasureRequest,
  findRequest,
  lockRequest,
  openRequest,
  type Requester,
  touchRequest,
} from "@/lib/privacy/erasure-requests";
import type { Person } from "@/lib/privacy/person";
import { hasErasedFiles, removeErasedFiles } from "@/lib/reviews/uploads/erase-uploads";
import { invalidateCaches } from "./sql";

/** Initial rows per transaction, far below what fits into its time limit; reduced after a timeout. */
const MAX_ROWS = 500;
const MIN_ROWS = 10;

/** Transactions and milliseconds of a request, before it leaves the rest to the job. */
const REQUEST_BATCHES = 8;
const REQUEST_MS = 2_000;
/** Transactions per step of the job. */
const STEP_BATCHES = 20;

const STATEMENT_TIMED_OUT = "57014";

/** State of an erasure. `busy`: another process works on it, or a run claims invitations. */
type Progress = { state: "done" | "busy" } | { state: "rows" | "files"; erasureId: string };

/**
 * Erases everything stored about a person. `deleted`: nothing is left, or there was nothing. `pending`: more than one
 * call should do; the job continues, as do repeated calls. Concurrent calls share the work.
 */
export async function erasePersonalData(
  requester: Requester,
  client: Pick<ClientRow, "id">,
  person: Person,
): Promise<"deleted" | "pending"> {
  const state = await eraseInBatches(client.id, person, requester, {
    batches: REQUEST_BATCHES,
    milliseconds: REQUEST_MS,
  });
  if (state === "done") return "deleted";
  if (state === "busy") {
    const request = { id: newId("erasure"), person, requester, removed: {}, since: now() };
    await transaction((db) => openRequest(db, client.id, request));
  }
  wakeRelay();
  return "pending";
}

/** Runs a step of the job: continues an erasure, or returns `busy` if another process works on it. */
export async function continueErasure(clientId: string, requestId: string): Promise<"done" | "more" | "busy"> {
  const request = await findRequest(clientId, requestId);
  return request
    ? eraseInBatches(clientId, request.person, request.requester, { batches: STEP_BATCHES, milliseconds: 60_000 })
    : "done";
}

/** Works until the erasure is done or the budget is spent. Each batch is a consistent transaction of its own. */
async function eraseInBatches(
  clientId: string,
  person: Person,
  requester: Requester,
  budget: { batches: number; milliseconds: number },
): Promise<"done" | "more" | "busy"> {
  const end = Date.now() + budget.milliseconds;
  let rows = MAX_ROWS;
  let last: Progress["state"] = "busy";
  for (let batch = 0; batch < budget.batches && Date.now() < end; batch += 1) {
    const progress = await eraseNextBatch(clientId, person, requester, rows).catch((error: unknown): Progress => {
      if (error instanceof RequestExistsError || isSerializationFailure(error)) return { state: "busy" };
      // The batch timed out or waited for a lock; a smaller one may not.
      if (!isTooLarge(error) || rows <= MIN_ROWS) throw error;
      rows = Math.max(MIN_ROWS, Math.floor(rows / 4));
      return { state: "busy" };
    });
    last = progress.state;
    if (progress.state === "done") {
      await deletePersonalUploads(clientId);
      return "done";
    }
    if (progress.state === "busy") await sleep(100);
    if (progress.state === "files") await eraseFiles(clientId, progress.erasureId, end);
  }
  return last === "busy" ? "busy" : "more";
}

/** Files are erased outside the transaction, since the file store may be remote. */
async function eraseFiles(clientId: string, erasureId: string, end: number): Promise<void> {
  const limit = 20;
  for (let erased = limit; erased === limit && Date.now() < end; )
    erased = await removeErasedFiles(clientId, erasureId, limit);
}

/** True if a transaction or statement timed out. */
const isTooLarge = (error: unknown): boolean =>
  (error instanceof AppError && error.code === "unavailable") || databaseCode(error) === STATEMENT_TIMED_OUT;

/** Another call opened a request for this person concurrently: rolls back, and that call does the work. */
class RequestExistsError extends Error {
  override name = "RequestExistsError";
}

/** One transaction of an erasure: erases what fits and opens or updates the request, or finishes it. */
function eraseNextBatch(clientId: string, person: Person, requester: Requester, rows: number): Promise<Progress> {
  return transaction(async (db) => {
    // Makes the server cancel the statement before the transaction is abandoned, so it holds no locks for work that is
    // rolled back.
    await db.query("set local statement_timeout = '4s'");
    if (!(await tryLockInvitations(db, clientId))) return { state: "busy" };
    const open = await lockRequest(db, clientId, person);
    const batch = new ErasureBatch(db, clientId, open?.id ?? newId("erasure"), rows);
    const isComplete = await eraseUpToLimit(batch, person);
    const request = open ?? { id: batch.erasureId, person, requester, removed: {}, since: now() };
    const updatedRequest = { ...request, removed: addErasedCounts(request.removed, batch.erased) };
    if (isComplete && !(await hasErasedFiles(db, clientId, batch.erasureId))) {
      if (open) await closeRequest(db, clientId, open.id);
      await finishErasure(db, clientId, updatedRequest);
      return { state: "done" };
    }
    if (open) await touchRequest(db, clientId, open.id, updatedRequest.removed);
    else if (!(await openRequest(db, clientId, updatedRequest))) throw new RequestExistsError();
    return { state: isComplete ? "files" : "rows", erasureId: batch.erasureId };
  });
}

/**
 * Finishes the erasure: redacts what can't be attributed to one person, and records an audit entry without the
 * identifier. Does nothing if nothing was erased.
 */
async function finishErasure(
  db: PoolClient,
  clientId: string,
  { id, requester, removed, since }: ErasureRequest,
): Promise<void> {
  if (Object.keys(removed).length === 0) return;
  await redactReports(db, clientId);
  await recordAudit(db, {
    clientId,
    actor: requester,
    action: "personal_data.deleted",
    subject: id,
    detail: { removed, requested_at: since.toISOString() },
  });
  await enqueue(db, [{ name: "personal_data/deleted", data: { client_id: clientId, erasure_id: id } }]);
  await invalidateCaches(db, clientId);
}
