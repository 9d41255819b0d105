import { setTimeout as sleep } from "node:timers/promises";
import * as clock from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { claimRun, type Executor, executeRun } from "@/lib/platform/jobs/execute-run";
import { type JobFunction, type JobsApp, readJobs } from "@/lib/platform/jobs/functions";
import { relayToEngine } from "@/lib/platform/jobs/outbox/relay";
import type { JobError, JobEvent } from "@/lib/platform/jobs/protocol";
import { openQueue } from "@/lib/platform/jobs/queue";
import { EngineSession } from "@/lib/platform/jobs/session";
import { insertRuns, limitsOf } from "./sql";

/** A run in a report: its function, result, and when it continues if it's waiting. `error`: of its last attempt. */
export type ReportedRun = {
  id: string;
  function: string;
  status: "queued" | "running" | "waiting" | "done" | "failed";
  output: unknown;
  error: JobError | null;
  wake_at: Date | null;
};

/** The result of running a function once. `settled`: nothing it started is due within a minute. */
export type RunReport = {
  function: string;
  now: Date;
  settled: boolean;
  /** the run itself, then all runs it caused, oldest first */
  runs: ReportedRun[];
};

export type RunJobOptions = {
  /** only these clients; all if omitted */
  clientIds?: string[];
  /** current time for the run and everything it causes */
  now?: Date;
  backoff?: (attempt: number) => number;
};

const day = 86_400_000;
/** Longer waits are left to the server. */
const LONG_WAIT_MS = 60_000;

/**
 * Runs a scheduled function once. Returns when it and everything it started (runs, outbox events, their runs) has ended
 * or waits for more than a minute. Works with or without running servers, which may execute some of the runs. Throws
 * `invalid_parameter` for a function without a schedule, and for a clock more than a day off if real email is
 * configured.
 */
export async function runJobNow(
  app: JobsApp,
  name: string,
  { clientIds, now = clock.now(), backoff }: RunJobOptions = {},
): Promise<RunReport> {
  refuseTimeTravelWithRealMail(now);
  const jobs = await readJobs(app);
  const found = scheduledFunction(jobs.functions, jobs.appId, name);
  await openQueue();
  const session = new EngineSession();
  await session.open();
  try {
    const executor: Executor = {
      jobs,
      engine: () => session.number,
      stopping: () => false,
      backoff,
      active: new Map(),
    };
    const runId = await start(found, name, clientIds, now);
    const settled = await runUntilSettled(runId, executor);
    return { function: name, now, settled, runs: await reportedRuns(runId, jobs.appId) };
  } finally {
    await session.close();
  }
}

function refuseTimeTravelWithRealMail(now: Date): void {
  const { RESEND_API_KEY, SMTP_URL } = env();
  if (!(RESEND_API_KEY || SMTP_URL) || Math.abs(now.getTime() - Date.now()) <= day) return;
  throw new AppError("invalid_parameter", { reason: "clock_too_far", field: "now" });
}

/** The failures and pending retries of a report, each once as a line with its reason. */
export function errorLinesOf({ runs }: Pick<RunReport, "runs">): string[] {
  const lines = runs.flatMap(({ function: name, status, error }) =>
    error === null ? [] : [`${name} ${status === "failed" ? "failed" : "will be retried"}: ${error.message}`],
  );
  return [...new Set(lines)].map((line) => line.replaceAll(/\s+/g, " "));
}

/** The event that runs a scheduled function manually. */
export const manualEventName = (name: string): string => `schedule/${name}`;

function scheduledFunction(functions: Map<string, JobFunction>, appId: string, name: string): JobFunction {
  const byName = (found: JobFunction) => found.id.slice(appId.length + 1);
  const runnable = [...functions.values()].filter((found) => found.events.includes(manualEventName(byName(found))));
  const found = runnable.find((candidate) => byName(candidate) === name);
  if (found) return found;
  const names = runnable.map(byName).sort().join(", ");
  throw new AppError("invalid_parameter", {
    reason: "scheduled_function_not_found",
    params: { name, names },
    field: "function",
  });
}

/** Starts the first run, the origin of all others. */
async function start(found: JobFunction, name: string, clientIds: string[] | undefined, now: Date): Promise<string> {
  const id = newId("run");
  const shift = now.getTime() - Date.now();
  const event: JobEvent = {
    id: `command-${id}`,
    name: manualEventName(name),
    data: clientIds ? { client_ids: clientIds } : {},
    ts: now.getTime(),
  };
  const clockShift = Math.abs(shift) > 1_000 ? shift : null;
  await transaction((db) =>
    insertRuns(db, [{ id, functionId: found.id, event, originId: id, clockShift, ...limitsOf(found, event) }]),
  );
  return id;
}

/** Executes all runs caused by the origin until none is left (true) or only long waits (false). */
async function runUntilSettled(originId: string, executor: Executor): Promise<boolean> {
  for (;;) {
    await relayToEngine(executor.jobs, originId);
    const ready = await readyRuns(originId);
    const executed = await Promise.all(ready.map((runId) => claimAndExecute(runId, executor)));
    if (executed.some(Boolean)) continue;
    const left = await pool().query<{ soon: number; later: number }>(
      `select
         (select count(*) from job_runs where origin_id = $1 and ended_at is null
           and (status <> 'waiting' or wake_at <= now() + $2 * interval '1 ms'))
         + (select count(*) from outbox where origin_id = $1 and relayed_at is null
           and available_at <= now() + $2 * interval '1 ms') as soon,
         (select count(*) from job_runs where origin_id = $1 and ended_at is null)
         + (select count(*) from outbox where origin_id = $1 and relayed_at is null) as later`,
      [originId, LONG_WAIT_MS],
    );
    const { soon = 0, later = 0 } = left.rows[0] ?? {};
    if (soon === 0 && later === 0) return true;
    // A running run isn't a long wait.
    if (soon === 0) return false;
    await sleep(100);
  }
}

async function claimAndExecute(runId: string, executor: Executor): Promise<boolean> {
  const run = await claimRun(runId, executor);
  if (run) await executeRun(run, executor);
  return run !== null;
}

async function readyRuns(originId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `select id from job_runs where origin_id = $1 and ended_at is null
       and (status = 'queued' or status = 'waiting' and wake_at <= now())
     order by parked, queued_at, id limit 6`,
    [originId],
  );
  return rows.map(({ id }) => id);
}

async function reportedRuns(originId: string, appId: string): Promise<ReportedRun[]> {
  const { rows } = await pool().query<ReportedRun>(
    `select r.id, substr(r.function_id, length($2) + 2) as function, r.status, r.output, r.wake_at,
       coalesce(r.error, s.error) as error
     from job_runs r left join lateral (
       select error from job_steps where run_id = r.id and r.ended_at is null and status = 'planned' and error is not null
       order by position desc limit 1) s on true
     where r.origin_id = $1 order by r.id <> $1, r.queued_at, r.id`,
    [originId, appId],
  );
  return rows;
}
