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

/** Who executes: the functions, the engine number to hold runs under, and when to stop between steps. */
export type Executor = {
  jobs: Jobs;
  engine: () => number | null;
  stopping: () => boolean;
  backoff?: (attempt: number) => number;
  /** runs being executed here now, and how many times over (twice only after a lost connection) */
  active: Map<string, number>;
  /** events that a run sends go to Inngest, but for those of an operator's command */
  sendsToInngest?: boolean;
};

/**
 * Takes up to `limit` entries off the queue and claims their runs, in one transaction. Null when the queue is empty;
 * fewer runs than entries, or none, when there was nothing to do for some.
 */
export async function claimNextRuns(limit: number, executor: Executor): Promise<ClaimedRun[] | null> {
  return withClaim(executor, async (claim, db) => {
    const runIds = await fetchQueuedRuns(db, limit);
    return runIds.length === 0 ? null : claim(runIds);
  });
}

/**
 * Claims runs that wait for other systems, in fair shares between stores. `seen`: what was looked at before in this round, to
 * which these are added. Null when there is nothing to take.
 */
export async function claimOutsideRuns(slots: Slots, seen: string[], executor: Executor): Promise<ClaimedRun[] | null> {
  return withClaim(executor, async (claim, db) => {
    const runIds = fairShare(await selectOutsideRuns(db, slots.free, seen), slots);
    seen.push(...runIds);
    return runIds.length === 0 ? null : claim(runIds);
  });
}

/** Takes this run, if it is free and due. */
export async function claimRun(runId: string, executor: Executor): Promise<ClaimedRun | null> {
  const claimed = await withClaim(executor, (claim) => claim([runId]));
  return claimed?.[0] ?? null;
}

/**
 * Claims in a transaction. A run counts as active before anybody can see it held, so that it is never taken for one that
 * was let go; and no longer when nobody can tell whether the claim was committed.
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
 * Executes a run that was taken as far as it goes now. Throws only when the database fails; then the run is taken up
 * again later from its last finished step.
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

/** How often a run may take its process down with it before it is given up. */
const MAX_RECOVERIES = 5;

async function advanceAndSave(run: ClaimedRun, executor: Executor): Promise<void> {
  const { jobs, stopping, backoff = backoffOf, sendsToInngest = false } = executor;
  const found = jobs.functions.get(run.functionId);
  if (!found) return handleUnknownFunction(run);
  const verdict: RunOutcome =
    run.recoveries > MAX_RECOVERIES
      ? {
          kind: "failed",
          error: { name: "CrashError", message: `The process ended ${run.recoveries} times during this run.` },
        }
      : await advanceRun(
          { ...run, maxAttempts: found.maxAttempts },
          { call: (call) => callInContext(run, call, jobs, sendsToInngest), store: stepStore(run), backoff, stopping },
        );
  await transaction((db) => saveOutcome(db, run, verdict, jobs));
}

/** Ends or puts down the run. */
async function saveOutcome(db: pg.PoolClient, run: ClaimedRun, verdict: RunOutcome, jobs: Jobs): Promise<void> {
  switch (verdict.kind) {
    case "waiting":
      return releaseWaiting(db, run, verdict);
    case "paused":
      return releaseQueued(db, run, verdict.attempt, null);
    case "done":
      return endRun(db, run, { status: "done", output: verdict.output });
    case "failed":
      await endRun(db, run, { status: "failed", error: verdict.error });
      // Here too, since the function cannot note that its process died or that the engine refused a step.
      await recordJobFailure(subjectOf(run.functionId.slice(jobs.appId.length + 1), run.event.data), run.id, db);
      log.error({ run: run.id, function: run.functionId, reason: verdict.error.message }, "a job failed permanently");
  }
}

const UNKNOWN_FUNCTION_GRACE_MS = 86_400_000;

/** A function this process does not know: another, newer one may. After a day nobody is expected any more. */
async function handleUnknownFunction(run: ClaimedRun): Promise<void> {
  const message = `There is no function ${run.functionId}.`;
  await transaction((db) =>
    Date.now() - run.queuedAt.getTime() < UNKNOWN_FUNCTION_GRACE_MS
      ? releaseQueued(db, run, run.attempt, new Date(Date.now() + 60_000))
      : endRun(db, run, { status: "failed", error: { name: "UnknownFunctionError", message } }),
  );
}

/** Calls the function on the run's clock, with everything it sends or writes known to follow from this run. */
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

/** Milliseconds to wait after failed attempt number `attempt` (0 = the first), growing, with a tenth of chance in it. */
function backoffOf(attempt: number): number {
  const base = delays[attempt] ?? 60 * minute;
  return Math.round(base * (1 + Math.random() / 10));
}
