import type pg from "pg";
import { parseExpression } from "@/lib/platform/jobs/expression";
import type { Jobs } from "@/lib/platform/jobs/functions";
import { type JobEvent, wakeMoment } from "@/lib/platform/jobs/protocol";
import { log } from "@/lib/platform/log";
import { type FinishedStep, finishSteps, insertRuns, limitsOf, type NewRun } from "./sql";

/** An event on its way to the functions, with the run it follows from and how far its clock is from the real one. */
export type Delivery = { event: JobEvent; originId: string | null; clockShift: number | null };

/**
 * Hands events to the functions, in the caller's transaction: starts a run of each function that one triggers (once per
 * function and event id), ends waits for them, cancels runs that ask for it. The queue must be open.
 */
export async function deliverEvents(db: pg.PoolClient, jobs: Jobs, deliveries: Delivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await cancelRuns(db, jobs, deliveries);
  await endWaits(db, deliveries);
  await insertRuns(
    db,
    deliveries.flatMap((delivery) => runsFor(jobs, delivery)),
  );
}

function runsFor(jobs: Jobs, { event, originId, clockShift }: Delivery): NewRun[] {
  return [...jobs.functions.values()]
    .filter(({ triggers }) => triggers.some((trigger) => trigger.event === event.name && trigger.matches(event)))
    .map((found) => ({
      functionId: found.id,
      event,
      originId,
      clockShift,
      ...limitsOf(found, event),
    }));
}

/** Steps that wait for one of these events. The condition sees the run's own event as `event`, the new one as `async`. */
async function endWaits(db: pg.PoolClient, deliveries: Delivery[]): Promise<void> {
  const waits = await db.query<{
    runId: string;
    stepId: string;
    waitFor: string;
    waitIf: string | null;
    event: JobEvent;
  }>(
    `select s.run_id as "runId", s.step_id as "stepId", s.wait_for as "waitFor", s.wait_if as "waitIf", r.event
     from job_steps s join job_runs r on r.id = s.run_id
     where s.status = 'waiting' and s.wait_for = any($1)
     order by s.run_id, s.position`,
    [[...new Set(deliveries.map(({ event }) => event.name))]],
  );
  const ends = waits.rows.flatMap((wait): FinishedStep[] => {
    const found = deliveries.find(({ event }) => event.name === wait.waitFor && fulfils(wait, event));
    return found ? [{ runId: wait.runId, stepId: wait.stepId, status: "done", output: found.event }] : [];
  });
  await finishSteps(db, ends);
}

function fulfils(
  { runId, waitIf, event }: { runId: string; waitIf: string | null; event: JobEvent },
  incoming: JobEvent,
) {
  if (waitIf === null) return true;
  try {
    return Boolean(parseExpression(waitIf)({ event, async: incoming }));
  } catch (error) {
    // One function's mistake must not keep the event from the others; the wait runs into its timeout.
    log.error({ err: error, runId }, "a run waits under a condition that is not understood");
    return false;
  }
}

async function cancelRuns(db: pg.PoolClient, jobs: Jobs, deliveries: Delivery[]): Promise<void> {
  for (const { id, cancel } of jobs.functions.values()) {
    for (const { event: name, within, matches } of cancel) {
      const incoming = deliveries.filter(({ event }) => event.name === name);
      if (incoming.length === 0) continue;
      const open = await db.query<{ id: string; event: JobEvent; queuedAt: Date }>(
        `select id, event, queued_at as "queuedAt" from job_runs where function_id = $1 and ended_at is null order by id`,
        [id],
      );
      const cancelled = open.rows.filter(
        (run) =>
          (within === null || wakeMoment(within, run.queuedAt).getTime() > Date.now()) &&
          incoming.some(({ event }) => matches(run.event, event)),
      );
      await db.query(
        `update job_runs set status = 'cancelled', held_by = null, wake_at = null, parked = false, parked_in = null, ended_at = now()
         where id = any($1) and ended_at is null`,
        [cancelled.map((run) => run.id)],
      );
    }
  }
}
