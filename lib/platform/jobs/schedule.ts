import { Cron } from "croner";
import { pool, transaction } from "@/lib/platform/db/pool";
import type { JobFunction, Jobs } from "@/lib/platform/jobs/functions";
import { wakeSignal } from "@/lib/platform/jobs/wake";
import { insertRuns, limitsOf, type NewRun } from "./sql";

// The event id of a scheduled run contains its slot, so that only one of several engines starts it.

type Schedule = { found: JobFunction; pattern: string; timeZone: string };

const schedulesOf = (jobs: Jobs): Schedule[] =>
  [...jobs.functions.values()].flatMap((found) => found.crons.map((cron) => ({ found, ...cron })));

/** Starts the runs whose slots are after `since` and not after `until`; at most the last slot of each schedule. */
export async function startDueSlots(jobs: Jobs, since: Date, until: Date): Promise<void> {
  const due = schedulesOf(jobs).flatMap((schedule) => {
    const slot = lastSlot(schedule, until);
    return slot && slot > since ? [runOf(schedule, slot)] : [];
  });
  await start(due);
}

/**
 * Starts runs missed while no engine ran: the last slot of each schedule that ran before. A schedule that never ran (a
 * new installation) starts with its next slot.
 */
export async function startMissedSlots(jobs: Jobs, until: Date): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `select f.id from unnest($1::text[]) as f(id) where exists (
       select from job_runs r where r.function_id = f.id and r.event->>'name' = $2)`,
    [[...jobs.functions.keys()], TIMER_EVENT],
  );
  const ranBefore = new Set(rows.map(({ id }) => id));
  const missed = schedulesOf(jobs).flatMap((schedule) => {
    const slot = ranBefore.has(schedule.found.id) ? lastSlot(schedule, until) : null;
    return slot ? [runOf(schedule, slot)] : [];
  });
  await start(missed);
}

const TIMER_EVENT = "inngest/scheduled.timer";

/** The latest slot at or before `moment`. */
function lastSlot({ pattern, timeZone }: Schedule, moment: Date): Date | null {
  const cron = new Cron(pattern, { timezone: timeZone, paused: true });
  return cron.previousRuns(1, new Date(moment.getTime() + 1_000))[0] ?? null;
}

function runOf({ found, pattern }: Schedule, slot: Date): NewRun {
  const event = {
    id: `cron-${found.id}-${pattern}-${slot.toISOString()}`,
    name: TIMER_EVENT,
    data: { cron: pattern },
    ts: slot.getTime(),
  };
  return {
    functionId: found.id,
    event,
    originId: null,
    clockShift: null,
    ...limitsOf(found, event),
  };
}

async function start(runs: NewRun[]): Promise<void> {
  if (runs.length === 0) return;
  const started = await transaction((db) => insertRuns(db, runs));
  if (started.length > 0) wakeSignal("runs").wake();
}
