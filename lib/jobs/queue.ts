import { PgBoss } from "pg-boss";
import { type Db, pool } from "@/lib/db/pool";
import { perProcess } from "@/lib/db/process";
import { log } from "@/lib/log";

// pg-boss holds what is to be done and when: one job says "look after this run". The run itself, its finished steps and
// who works on it are in job_runs and job_steps, so a job may come twice or late without harm.

const name = "runs";

/** A run to be looked after, now or at a moment. */
export type Errand = { runId: string; at?: Date | null };

const opened = () => perProcess("jobs-queue", () => ({ boss: null as Promise<PgBoss> | null }));

/**
 * Opens the queue once per process and makes its tables if need be; needed before {@link sendErrands}.
 * `keeper`: this process also does the library's housekeeping.
 */
export function openQueue({ keeper = false } = {}): Promise<PgBoss> {
  const holder = opened();
  holder.boss ??= start(keeper).catch((error) => {
    holder.boss = null; // the next caller tries again
    throw error;
  });
  return holder.boss;
}

/** Ends the housekeeping. The pool is not the queue's own and stays open. */
export async function closeQueue(): Promise<void> {
  const holder = opened();
  const boss = await holder.boss;
  holder.boss = null;
  await boss?.stop({ graceful: false });
}

async function start(keeper: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    db: asDatabase(pool()),
    supervise: keeper,
    schedule: false,
    reindex: keeper,
    monitorVacuum: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "the job queue had trouble"));
  await boss.start();
  // An errand is taken and answered within milliseconds; one whose taker died comes again after a minute.
  await boss.createQueue(name, {
    expireInSeconds: 60,
    retryLimit: 1_000,
    retryDelay: 5,
    retentionSeconds: 30 * 86_400,
    deleteAfterSeconds: 3_600,
  });
  return boss;
}

/** Sends errands within the caller's transaction. The queue must be open before that begins. */
export async function sendErrands(db: Db, errands: Errand[]): Promise<void> {
  if (errands.length === 0) return;
  const boss = await openQueue();
  await boss.insert(
    name,
    errands.map(({ runId, at }) => ({ data: { runId }, ...(at ? { startAfter: at.toISOString() } : {}) })),
    { db: asDatabase(db) },
  );
}

/** Takes up to `limit` errands that are due; each is done as soon as its run is claimed. */
export async function takeErrands(limit: number): Promise<{ id: string; runId: string }[]> {
  const boss = await openQueue();
  const jobs = await boss.fetch<{ runId: string }>(name, { batchSize: limit });
  return jobs.map(({ id, data }) => ({ id, runId: data.runId }));
}

/** Marks taken errands as done. */
export async function finishErrands(ids: string[]): Promise<void> {
  if (ids.length > 0) await (await openQueue()).complete(name, ids);
}

const asDatabase = (db: Db) => ({ executeSql: (text: string, values?: unknown[]) => db.query(text, values) });
