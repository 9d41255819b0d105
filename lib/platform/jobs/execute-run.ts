import type pg from "pg";
import { withNow } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { advanceRun, type RunOutcome, RunTakenOverError } from "@/lib/platform/jobs/advance-run";
import { withinRun } from "@/lib/platform/jobs/context";
import { deliverEvents } from "@/lib/platform/jobs/deliver-events";
import { fairShare, type Slots } from "@/lib/platform/jobs/fair-share";
import { type Jobs, serveUrl } from "@/lib/platform/jobs/functions";
import { recordJobFailure, subjectOf } from "@/lib/platform/jobs/job-failures";
import { type CallResult, callFunction, type FunctionCall, type JobEvent } from "@/lib/platform/jobs/protocol";
import { fetchQueuedRuns } from "@/lib/platform/jobs/queue";
import { wakeSignal } from "@/lib/platform/jobs/wake";
import { log } from "@/lib/platform/log";
import { type ClaimedRun, claimRuns, endRun, releaseQueued, releaseWaiting, selectOutsideRuns, stepStore } from "./sql";

/** Context of execution: the functions, the engine number that holds runs, and when to stop between steps. */
export type Executor = {
  jobs: Jobs;
  engine: () => number | null;
  stopping: () => boolean;
  backoff?: (attempt: number) => number;
  /** runs this engine is executing, with a count (two only after a lost connection) */
  active: Map<string, number>;
  /** sends events of runs to Inngest, except those of an admin command */
  sendsToInngest?: boolean;
};

/**
 * Takes up to `limit` entries from the queue and claims their runs, in one transaction. Null if the queue is empty; may
 * return fewer runs than entries, or none.
 */
export async function claimNextRuns(limit: number, executor: Executor): Promise<ClaimedRun[] | null> {
  return withClaim(executor, async (claim, db) => {
    const runIds = await fetchQueuedRuns(db, limit);
    return runIds.length === 0 ? null : claim(runIds);
  });
}

/**
 * Claims runs that wait for other systems, shared fairly between stores. Adds candidates to `seen`, which are skipped
 * in this round. Null if there is none left.
 */
export async function claimOutsideRuns(slots: Slots, seen: string[], executor: Executor): Promise<ClaimedRun[] | null> {
  return withClaim(executor, async (claim, db) => {
    const runIds = fairShare(await selectOutsideRuns(db, slots.free, seen), slots);
    seen.push(...runIds);
    return runIds.length === 0 ? null : claim(runIds);
  });
}

/** Claims this run if it's free and due. */
export async function claimRun(runId: string, executor: Executor): Promise<ClaimedRun | null> {
  const claimed = await withClaim(executor, (claim) => claim([runId]));
  return claimed?.[0] ?? null;
}

/**
 * Claims in a transaction. Marks a run active before the claim is visible, so that recovery doesn't mistake it for an
 * abandoned one; unmarks it if the commit is unknown.
 */
async function withClaim(
  { engine, jobs, active }: Executor,
  work: (claim: (runIds: string[]) => Promise<ClaimedRun[]>, db: pg.PoolClient) => Promise<ClaimedRun[] | null>,
): Promise<ClaimedRun[] | null> {
  const number = engine();
  if (number === null) return null;
  const claimedIds: string[] = [];
  try {
    return await transaction((db) =>
      work(async (runIds) => {
        const claimed = await claimRuns(db, runIds, number, jobs.functions);
        for (const { id } of claimed) {
          claimedIds.push(id);
          markActive(active, id);
        }
        return claimed;
      }, db),
    );
  } catch (error) {
    for (const id of claimedIds) markInactive(active, id);
    throw error;
  }
}

const markActive = (active: Map<string, number>, runId: string) => active.set(runId, (active.get(runId) ?? 0) + 1);

function markInactive(active: Map<string, number>, runId: string): void {
  const left = (active.get(runId) ?? 1) - 1;
  if (left > 0) active.set(runId, left);
  else active.delete(runId);
}

/**
 * Executes a claimed run as far as possible. Throws only if the database fails; the run is then resumed from its last
 * finished step.
 */
export async function executeRun(run: ClaimedRun, executor: Executor): Promise<void> {
  try {
    await advanceAndSave(run, executor);
  } catch (error) {
    if (!(error instanceof RunTakenOverError)) throw error;
    log.info({ run: run.id, function: run.functionId }, "another engine took over a run");
  } finally {
    markInactive(executor.active, run.id);
    wakeSignal("runs").wake();
  }
}

/** Maximum number of process crashes during a run before it fails. */
const MAX_RECOVERIES = 5;

async function advanceAndSave(run: ClaimedRun, executor: Executor): Promise<void> {
  const { jobs, stopping, backoff = backoffOf, sendsToInngest = false } = executor;
  const functionId = jobs.renamed.get(run.functionId) ?? run.functionId;
  const found = jobs.functions.get(functionId);
  if (!found) return handleUnknownFunction(run);
  const outcome: RunOutcome =
    run.recoveries > MAX_RECOVERIES
      ? {
          kind: "failed",
          error: { name: "CrashError", message: `The process ended ${run.recoveries} times during this run.` },
        }
      : await advanceRun(
          { ...run, functionId, maxAttempts: found.maxAttempts },
          { call: (call) => callInContext(run, call, jobs, sendsToInngest), store: stepStore(run), backoff, stopping },
        );
  await transaction((db) => saveOutcome(db, run, outcome, jobs));
}

/** Ends or releases the run. */
async function saveOutcome(db: pg.PoolClient, run: ClaimedRun, outcome: RunOutcome, jobs: Jobs): Promise<void> {
  switch (outcome.kind) {
    case "waiting":
      return releaseWaiting(db, run, outcome);
    case "paused":
      return releaseQueued(db, run, outcome.attempt, null);
    case "done":
      return endRun(db, run, { status: "done", output: outcome.output });
    case "failed":
      await endRun(db, run, { status: "failed", error: outcome.error });
      // Also recorded here, since the function can't record a crash of its process or an unsupported step.
      await recordJobFailure(subjectOf(run.functionId.slice(jobs.appId.length + 1), run.event.data), run.id, db);
      log.error({ run: run.id, function: run.functionId, reason: outcome.error.message }, "a job failed permanently");
  }
}

const UNKNOWN_FUNCTION_GRACE_MS = 86_400_000;

/** Handles a function unknown to this process. A newer process may know it, so the run fails only after a day. */
async function handleUnknownFunction(run: ClaimedRun): Promise<void> {
  const message = `There is no function ${run.functionId}.`;
  await transaction((db) =>
    Date.now() - run.queuedAt.getTime() < UNKNOWN_FUNCTION_GRACE_MS
      ? releaseQueued(db, run, run.attempt, new Date(Date.now() + 60_000))
      : endRun(db, run, { status: "failed", error: { name: "UnknownFunctionError", message } }),
  );
}

/** Calls the function with the run's clock; everything it sends or writes is attributed to the run. */
function callInContext(run: ClaimedRun, call: FunctionCall, jobs: Jobs, sendsAway: boolean): Promise<CallResult> {
  const context = {
    runId: run.id,
    originId: run.originId,
    step: String(call.finished.length),
    sent: 0,
    send: sendsAway && run.originId === null ? null : (events: JobEvent[]) => sendFrom(run, jobs, events),
  };
  return withinRun(context, () =>
    withNow(new Date(Date.now() + (run.clockShift ?? 0)), () => callFunction(jobs.post, serveUrl, call)),
  );
}

async function sendFrom(run: ClaimedRun, jobs: Jobs, events: JobEvent[]): Promise<void> {
  const { originId, clockShift } = run;
  await transaction((db) =>
    deliverEvents(
      db,
      jobs,
      events.map((event) => ({ event, originId, clockShift })),
    ),
  );
  wakeSignal("runs").wake();
}

const second = 1_000;
const minute = 60 * second;
const delays = [10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 40 * minute];

/** Milliseconds to wait after failed attempt number `attempt` (0 = the first): increasing, with up to 10% jitter. */
function backoffOf(attempt: number): number {
  const base = delays[attempt] ?? 60 * minute;
  return Math.round(base * (1 + Math.random() / 10));
}
