import type pg from "pg";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { type RunOutcome, RunTakenOverError, type Step, type StepStore } from "@/lib/platform/jobs/advance-run";
import type { Candidate } from "@/lib/platform/jobs/fair-share";
import type { JobFunction } from "@/lib/platform/jobs/functions";
import { rateLimitKey, reserveTimes } from "@/lib/platform/jobs/partner-rate-limit";
import type { JobError, JobEvent } from "@/lib/platform/jobs/protocol";
import { queueRuns } from "@/lib/platform/jobs/queue";

// All stored state of the engine. Lock order: groups, runs by id, steps. So engines, deliveries and admin commands
// can't deadlock.

/** First key of the advisory lock that every living engine holds on its number. */
export const engineLock = 0x63_6a_6f_62;

export type NewRun = {
  functionId: string;
  event: JobEvent;
  originId: string | null;
  /** offset of the run's clock from the real time, in milliseconds */
  clockShift: number | null;
  groupKey: string | null;
  shareKey: string | null;
  isOutside: boolean;
  throttle?: { key: string; every: number; burst: number } | null;
  debounce?: { key: string; wait: number } | null;
};

/** The limits of a function for an event: concurrency, slots, throttle and debounce. */
export const limitsOf = (
  { concurrency, throttle, debounce, isOutside }: JobFunction,
  event: JobEvent,
): Pick<NewRun, "groupKey" | "shareKey" | "isOutside" | "throttle" | "debounce"> => ({
  groupKey: concurrency[0]?.keyOf(event) ?? null,
  shareKey: concurrency[1]?.keyOf(event) ?? null,
  isOutside,
  throttle: throttle && { key: throttle.keyOf(event), every: throttle.every, burst: throttle.burst },
  debounce: debounce && { key: debounce.keyOf(event), wait: debounce.wait },
});

/**
 * Inserts runs and queues them. Skips a function that already has a run for the event, or an unstarted run for its
 * debounce key. Returns the ids of new runs.
 */
export async function insertRuns(db: Db, runs: (NewRun & { id?: string })[]): Promise<string[]> {
  if (runs.length === 0) return [];
  const rows = runs.map((run) => ({
    ...run,
    id: run.id ?? newId("run"),
    eventId: run.event.id,
    // Events of an admin command don't share a debounced run with others: the command waits for its own runs.
    debounceKey: run.debounce ? `${run.debounce.key}:${run.originId ?? ""}` : null,
  }));
  const inserted = await db.query<{ id: string }>(
    `insert into job_runs (id, function_id, event_id, event, status, clock_at, origin_id, group_key, share_key,
       outside, debounce_key)
     select id, "functionId", "eventId", event, 'queued', now() + "clockShift" * interval '1 ms', "originId", "groupKey",
       "shareKey", "isOutside", "debounceKey"
     from jsonb_to_recordset($1::jsonb) as r(id text, "functionId" text, "eventId" text, event jsonb, "clockShift" float8,
       "originId" text, "groupKey" text, "shareKey" text, "isOutside" boolean, "debounceKey" text)
     on conflict do nothing
     returning id`,
    [toJson(rows)],
  );
  const started = new Set(inserted.rows.map(({ id }) => id));
  const startTimes = await delayRuns(
    db,
    rows.filter(({ id }) => started.has(id)),
  );
  await queueRuns(
    db,
    rows.flatMap(({ id, isOutside }) =>
      started.has(id) ? [{ runId: id, isOutside, at: startTimes.get(id) ?? null }] : [],
    ),
  );
  return [...started];
}

/** Delays debounced runs, and runs that would exceed their functions' throttles. Returns when each of them starts. */
async function delayRuns(db: Db, runs: (NewRun & { id: string })[]): Promise<Map<string, Date>> {
  const byKey = new Map<string, { every: number; burst: number; ids: string[] }>();
  for (const { id, throttle } of runs) {
    if (!throttle) continue;
    const group = byKey.get(throttle.key) ?? { ...throttle, ids: [] };
    group.ids.push(id);
    byKey.set(throttle.key, group);
  }
  const startTimes = new Map<string, Date>();
  for (const { id, debounce } of runs) if (debounce) startTimes.set(id, new Date(Date.now() + debounce.wait));
  // In the order of keys, since concurrent deliveries lock the keys until they commit.
  for (const [key, { every, burst, ids }] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const first = await reserveTimes(db, rateLimitKey("job", key), ids.length, every);
    for (const [index, id] of ids.entries()) {
      const at = new Date(first.getTime() + (index - burst) * every);
      if (at.getTime() > (startTimes.get(id)?.getTime() ?? Date.now())) startTimes.set(id, at);
    }
  }
  if (startTimes.size > 0)
    await db.query(
      `update job_runs r set status = 'waiting', wake_at = b.at
         from unnest($1::text[], $2::timestamptz[]) as b(id, at) where r.id = b.id`,
      [[...startTimes.keys()], [...startTimes.values()]],
    );
  return startTimes;
}

/** A run held by this engine, until it's released or the engine counts as dead. */
export type ClaimedRun = {
  id: string;
  functionId: string;
  event: JobEvent;
  attempt: number;
  clockShift: number | null;
  originId: string | null;
  groupKey: string | null;
  shareKey: string | null;
  isOutside: boolean;
  queuedAt: Date;
  /** number of engine crashes during this run */
  recoveries: number;
  heldBy: number;
  lease: number;
};

const claimable = "(status = 'queued' or status = 'waiting' and wake_at <= now())";

const store = "event -> 'data' ->> 'client_id'";

/**
 * Up to `most` claimable runs that wait for other systems, without `seen`; those of stores with the fewest running runs
 * first, across processes. Only one engine selects at a time, until its transaction ends, so that shares hold across
 * processes; others return none and retry in their next round, so a stuck engine blocks no other.
 */
export async function selectOutsideRuns(db: Db, limit: number, seen: string[]): Promise<Candidate[]> {
  if (!(await tryLockGroup(db, "outside"))) return [];
  const { rows } = await db.query<Candidate>({
    name: "job-runs-outside",
    text: `with busy as (
        select coalesce(${store}, '') as store, count(*) as runs from job_runs where outside and status = 'running' group by 1),
      due as (
        select id, queued_at, coalesce(${store}, '') as store,
               row_number() over (partition by ${store} order by queued_at, id) as place
          from job_runs where outside and ended_at is null and not parked and ${claimable} and id <> all($1))
      select due.id, (due.place + coalesce(busy.runs, 0))::int as holds from due left join busy using (store)
       order by holds, due.queued_at, due.id limit $2`,
    values: [seen, limit],
  });
  return rows;
}

type Limited = { groupKey: string | null; shareKey: string | null };
type Grouped = { id: string; functionId: string } & Limited;

const groupsOf = ({ groupKey, shareKey }: Limited): string[] => [groupKey, shareKey].flatMap((key) => key ?? []).sort();

/**
 * Claims the runs that are free and due, and parks those that reach a limit of their function. Never waits for a lock
 * while rows are locked: a run locked by another transaction is queued again.
 */
export async function claimRuns(
  db: pg.PoolClient,
  runIds: string[],
  engine: number,
  functions: Map<string, JobFunction>,
): Promise<ClaimedRun[]> {
  const { rows } = await db.query<Grouped>({
    name: "job-runs-limits",
    text: `select id, function_id as "functionId", group_key as "groupKey", share_key as "shareKey"
      from job_runs where id = any($1)`,
    values: [runIds],
  });
  const claimed: ClaimedRun[] = [];
  const free: string[] = [];
  const groups = new Map<string, boolean>();
  for (const run of rows) {
    const limits = limitsOn(run, functions);
    if (limits.length === 0) {
      free.push(run.id);
      continue;
    }
    const keys = groupsOf(run);
    // Waiting for the first run's groups is safe, since nothing else is locked yet.
    const waits = groups.size === 0;
    for (const key of keys)
      if (!groups.has(key)) groups.set(key, waits ? await lockGroup(db, key) : await tryLockGroup(db, key));
    if (keys.every((key) => groups.get(key))) claimed.push(...(await claimWithinLimits(db, run, limits, engine)));
  }
  claimed.push(...(await claimUnlimited(db, free, engine)));
  const left = runIds.filter((id) => !claimed.some((run) => run.id === id));
  if (left.length > 0) await requeue(db, left);
  return claimed;
}

type Limit = { key: string; limit: number };

/** The limits of a run. None if its function is unknown here. */
function limitsOn({ functionId, groupKey, shareKey }: Grouped, functions: Map<string, JobFunction>): Limit[] {
  const limits = functions.get(functionId)?.concurrency ?? [];
  return [groupKey, shareKey].flatMap((key, index) => {
    const limit = limits[index]?.limit;
    return key === null || limit === undefined ? [] : [{ key, limit }];
  });
}

async function claimUnlimited(db: Db, runIds: string[], engine: number): Promise<ClaimedRun[]> {
  if (runIds.length === 0) return [];
  const claimed = await db.query<ClaimedRun>({
    name: "job-runs-claim",
    text: `update job_runs set status = 'running', parked = false, parked_in = null, held_by = $2, lease = lease + 1, wake_at = null,
        started_at = coalesce(started_at, now())
      where id in (select id from job_runs where id = any($1) and ${claimable} for update skip locked)
      returning id, function_id as "functionId", event, attempt, origin_id as "originId", group_key as "groupKey",
        share_key as "shareKey", outside as "isOutside",
        extract(epoch from clock_at - queued_at)::float8 * 1000 as "clockShift", queued_at as "queuedAt", recoveries, held_by as "heldBy", lease`,
    values: [runIds, engine],
  });
  return claimed.rows;
}

/**
 * Deletes runs whose event data contains one of `matches` and the client's id or none, in any status: an engine that
 * holds one gets RunTakenOverError. Gives their slots in groups to the next runs. Returns the number deleted.
 */
export async function deleteRuns(db: Db, clientId: string, matches: Record<string, string>[]): Promise<number> {
  // The index lookup doesn't include the client, which may have a million runs.
  const { rows } = await db.query<{ id: string } & Limited>(
    `select id, group_key as "groupKey", share_key as "shareKey" from job_runs
      where event -> 'data' @> any($1::jsonb[]) and coalesce(event -> 'data' ->> 'client_id', $2) = $2`,
    [matches.map((match) => toJson(match)), clientId],
  );
  if (rows.length === 0) return 0;
  const groups = [...new Set(rows.flatMap(groupsOf))].sort();
  for (const group of groups) await lockGroup(db, group);
  const deleted = await db.query<Limited & { hadTurn: boolean }>(
    `delete from job_runs where id in (select id from job_runs where id = any($1) order by id for update)
     returning group_key as "groupKey", share_key as "shareKey", ended_at is null and not parked as "hadTurn"`,
    [rows.map(({ id }) => id)],
  );
  for (const run of deleted.rows) if (run.hadTurn) await unparkGroups(db, run);
  return deleted.rows.length;
}

/** Claims a run in locked groups. If a group is full, parks the run in it. */
async function claimWithinLimits(db: Db, run: Grouped, limits: Limit[], engine: number): Promise<ClaimedRun[]> {
  const full = await findFullGroup(db, limits);
  if (full === null) return claimUnlimited(db, [run.id], engine);
  await db.query(
    `update job_runs set parked = true, parked_in = $2, status = 'queued', wake_at = null
     where id in (select id from job_runs where id = $1 and ${claimable} for update skip locked)`,
    [run.id, full],
  );
  // Its slot in another group, if it had one, goes to the next run there.
  for (const limit of limits)
    if (limit.key !== full && (await findFullGroup(db, [limit])) === null) await unparkNext(db, limit.key);
  return [];
}

async function findFullGroup(db: Db, limits: Limit[]): Promise<string | null> {
  for (const { key, limit } of limits) {
    const busy = await db.query<{ n: number }>(
      `select count(*)::int as n from job_runs
        where (group_key = $1 or share_key = $1) and ended_at is null and status = 'running'`,
      [key],
    );
    if ((busy.rows[0]?.n ?? 0) >= limit) return key;
  }
  return null;
}

/** Queues claimable runs again after 100 ms, because of a lock. */
async function requeue(db: Db, runIds: string[]): Promise<void> {
  const { rows } = await db.query<Queued>(
    `select id, outside as "isOutside" from job_runs where id = any($1) and not parked and ${claimable}`,
    [runIds],
  );
  await queue(db, rows, new Date(Date.now() + 100));
}

const groupLock = "hashtextextended('candor-jobs:' || $1, 0)";

async function lockGroup(db: Db, groupKey: string): Promise<true> {
  await db.query(`select pg_advisory_xact_lock(${groupLock})`, [groupKey]);
  return true;
}

async function tryLockGroup(db: Db, groupKey: string): Promise<boolean> {
  const { rows } = await db.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${groupLock}) as mine`, [
    groupKey,
  ]);
  return rows[0]?.mine === true;
}

/** Locks a run that this engine still holds. Throws {@link RunTakenOverError} otherwise. */
export async function lockClaimedRun(db: Db, run: ClaimedRun): Promise<void> {
  const { id, heldBy, lease } = run;
  for (const key of groupsOf(run)) await lockGroup(db, key);
  const found = await db.query(
    "select from job_runs where id = $1 and held_by = $2 and lease = $3 and status = 'running' for update",
    [id, heldBy, lease],
  );
  if (found.rowCount === 0) throw new RunTakenOverError(`Run ${id} is no longer held by engine ${heldBy}.`);
}

type Queued = { id: string; isOutside: boolean };

/** Queues runs, now or at a time. */
const queue = (db: Db, runs: Queued[], at: Date | null = null): Promise<void> =>
  queueRuns(
    db,
    runs.map(({ id, isOutside }) => ({ runId: id, isOutside, at })),
  );

/** Releases a run's slots: unparks the next run in each of its groups. */
async function unparkGroups(db: Db, run: Limited): Promise<void> {
  for (const key of groupsOf(run)) await unparkNext(db, key);
}

/** Unparks the oldest run parked in this group. */
async function unparkNext(db: Db, key: string): Promise<void> {
  const next = await db.query<Queued>(
    `update job_runs set parked = false, parked_in = null where id = (
       select id from job_runs where parked_in = $1 and ended_at is null order by queued_at, id limit 1)
     returning id, outside as "isOutside"`,
    [key],
  );
  await queue(db, next.rows);
}

/** Releases a run until `wakeAt`. */
export async function releaseWaiting(
  db: pg.PoolClient,
  run: ClaimedRun,
  { wakeAt, attempt, error }: Extract<RunOutcome, { kind: "waiting" }>,
): Promise<void> {
  await lockClaimedRun(db, run);
  await db.query(
    `update job_runs set status = 'waiting', held_by = null, wake_at = $2, attempt = $3, error = $4::jsonb, recoveries = 0
      where id = $1`,
    [run.id, wakeAt, attempt, error ? toJson(error) : null],
  );
  await queue(db, [run], wakeAt);
  await unparkGroups(db, run);
}

/** Releases a run to the queue, for another engine or a later time. */
export async function releaseQueued(
  db: pg.PoolClient,
  run: ClaimedRun,
  attempt: number,
  at: Date | null,
): Promise<void> {
  await lockClaimedRun(db, run);
  await db.query(
    `update job_runs set status = case when $3::timestamptz is null then 'queued' else 'waiting' end, held_by = null,
            attempt = $2, wake_at = $3
      where id = $1`,
    [run.id, attempt, at],
  );
  await queue(db, [run], at);
  await unparkGroups(db, run);
}

export async function endRun(
  db: pg.PoolClient,
  run: ClaimedRun,
  end: { status: "done"; output: unknown } | { status: "failed"; error: JobError },
): Promise<void> {
  await lockClaimedRun(db, run);
  const output = end.status === "done" ? toJson(end.output ?? null) : null;
  const error = end.status === "failed" ? toJson(end.error) : null;
  await db.query(
    `update job_runs set status = $2, output = $3::jsonb, error = $4::jsonb, held_by = null, wake_at = null, ended_at = now()
     where id = $1`,
    [run.id, end.status, output, error],
  );
  await unparkGroups(db, run);
}

export const stepStore = (run: ClaimedRun): StepStore => ({
  steps: async () => {
    const found = await pool().query<Step & { due: boolean }>({
      name: "job-steps",
      text: `select step_id as id, name, op, status, attempt, data, error, wake_at as "wakeAt",
          coalesce(wake_at <= clock_timestamp(), true) as due
        from job_steps where run_id = $1 order by ended_at nulls last, position`,
      values: [run.id],
    });
    return found.rows;
  },
  save: async (step) => {
    const ended = step.status === "done" || step.status === "failed";
    const saved = await pool().query<{ held: boolean }>({
      name: "job-step-save",
      text: `with held as (
          select id from job_runs where id = $1 and held_by = $2 and lease = $3 and status = 'running' for share
        ), saved as (
          insert into job_steps (run_id, step_id, position, name, op, status, attempt, data, error, wake_at, ended_at)
          select id, $4, (select count(*) from job_steps where run_id = $1), $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11,
            case when $12 then clock_timestamp() end
          from held
          on conflict (run_id, step_id) do update set status = excluded.status, attempt = excluded.attempt,
            data = excluded.data, error = excluded.error, wake_at = excluded.wake_at, ended_at = excluded.ended_at
          where job_steps.status not in ('done', 'failed')
        ) select exists (select from held) as held`,
      values: [
        run.id,
        run.heldBy,
        run.lease,
        step.id,
        step.name,
        step.op,
        step.status,
        step.attempt,
        step.status === "done" ? toJson(step.data ?? null) : null,
        step.error ? toJson(step.error) : null,
        ended ? null : step.wakeAt,
        ended,
      ],
    });
    if (!saved.rows[0]?.held) throw new RunTakenOverError(`Run ${run.id} is no longer held by engine ${run.heldBy}.`);
  },
});

/**
 * Requeues runs whose engine is gone (its advisory lock ended with its connection), and runs held by `engine` that it
 * no longer executes after a failure (`isActive`).
 */
export async function recoverRuns(
  db: pg.PoolClient,
  engine: number,
  isActive: (runId: string) => boolean,
): Promise<{ id: string; functionId: string }[]> {
  const held = await db.query<{ id: string; lease: number }>(
    "select id, lease from job_runs where status = 'running' and held_by = $1",
    [engine],
  );
  // Checked after the query, so that runs claimed before it are known as active.
  const inactive = held.rows.filter(({ id }) => !isActive(id));
  const recovered = await db.query<Queued & { functionId: string }>(
    `update job_runs set status = 'queued', held_by = null, recoveries = recoveries + 1
     where id in (
       select r.id from job_runs r where r.status = 'running' and (
         (r.id, r.lease) in (select * from unnest($2::text[], $3::int[])) and r.held_by = $4
         or not exists (
           select from pg_locks l where l.locktype = 'advisory' and l.granted and l.classid = $1::oid
             and l.objid = r.held_by::oid and l.objsubid = 2
             and l.database = (select oid from pg_database where datname = current_database())))
       order by r.id limit 100 for update skip locked)
     returning id, function_id as "functionId", outside as "isOutside"`,
    [engineLock, inactive.map(({ id }) => id), inactive.map(({ lease }) => lease), engine],
  );
  await queue(db, recovered.rows);
  return recovered.rows;
}

/** JSON for a jsonb column, without NUL characters, which jsonb rejects. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(/(?<!\\)(\\+)u0000/g, (all, slashes: string) =>
    slashes.length % 2 ? slashes.slice(1) : all,
  );
