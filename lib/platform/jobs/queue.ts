import { PgBoss } from "pg-boss";
import type { Db } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

// pg-boss holds what is to be done and when: one job says "look after this run". The run itself, its finished steps and
// who works on it are in job_runs and job_steps, so a job may come twice or late without harm.

// Runs that wait for other systems have no jobs: which of them goes next depends on what is running (fair-share.ts).
const QUEUE = "runs";
/** Where they had jobs before. */
const OLD_QUEUE = "runs-outside";

/** A run to be looked after, now or at a moment. */
export type QueuedRun = { runId: string; isOutside: boolean; at?: Date | null };

const opened = () => perProcess("jobs-queue", () => ({ boss: null as Promise<PgBoss> | null }));

/**
 * Opens the queue once per process and makes its tables if need be; needed before {@link queueRuns}.
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

/** Ends the housekeeping and the queue's connections. */
export async function closeQueue(): Promise<void> {
  const holder = opened();
  const boss = await holder.boss;
  holder.boss = null;
  await boss?.stop({ graceful: false });
}

async function start(maintains: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    // Connections of its own: sending inside a transaction may need a look at the queue's settings, and must not wait
    // for a connection that other transactions wait with.
    connectionString: env().DATABASE_URL,
    application_name: "candor queue",
    max: 2,
    supervise: maintains,
    schedule: false,
    reindex: maintains,
    monitorVacuum: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "the job queue reported an error"));
  await boss.start();
  await boss.createQueue(QUEUE, { retryLimit: 1_000, retryDelay: 5, retentionSeconds: 30 * 86_400 });
  if (maintains) await boss.deleteQueue(OLD_QUEUE);
  return boss;
}

/**
 * Queues runs within the caller's transaction, except those that wait for other systems. The queue must be open before that
 * begins.
 */
export async function queueRuns(db: Db, runs: QueuedRun[]): Promise<void> {
  const jobs = runs
    .filter(({ isOutside }) => !isOutside)
    .map(({ runId, at }) => ({ data: { runId }, ...(at ? { startAfter: at.toISOString() } : {}) }));
  if (jobs.length === 0) return;
  const boss = await openQueue();
  await boss.insert(QUEUE, jobs, { db: asDatabase(db) });
}

/**
 * Takes up to `limit` entries that are due off the queue, within the caller's transaction: if that does not commit,
 * they were never taken. Answers the runs to be looked after.
 */
export async function fetchQueuedRuns(db: Db, limit: number): Promise<string[]> {
  const boss = await openQueue();
  const jobs = await boss.fetch<{ runId: string }>(QUEUE, { batchSize: limit, db: asDatabase(db) });
  if (jobs.length === 0) return [];
  const ids = jobs.map(({ id }) => id);
  await boss.deleteJob(QUEUE, ids, { db: asDatabase(db) });
  return [...new Set(jobs.map(({ data }) => data.runId))];
}

const asDatabase = (db: Db) => ({ executeSql: (text: string, values?: unknown[]) => db.query(text, values) });
