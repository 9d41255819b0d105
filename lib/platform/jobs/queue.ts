import { PgBoss } from "pg-boss";
import type { Db } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";

// pg-boss stores when to process which run: one job per run. The run, its finished steps and its engine are in job_runs
// and job_steps, so a duplicate or late job is harmless.

// Runs that wait for other systems have no pg-boss jobs: the next one depends on what is running (fair-share.ts).
const QUEUE = "runs";
/** Queue of their jobs in earlier releases. */
const OLD_QUEUE = "runs-outside";

/** A run to process, now or at a time. */
export type QueuedRun = { runId: string; isOutside: boolean; at?: Date | null };

const opened = () => perProcess("jobs-queue", () => ({ boss: null as Promise<PgBoss> | null }));

/**
 * Opens the queue once per process and creates its tables if needed; call before {@link queueRuns}. `keeper`: this
 * process also runs the library's maintenance.
 */
export function openQueue({ keeper = false } = {}): Promise<PgBoss> {
  const holder = opened();
  holder.boss ??= start(keeper).catch((error) => {
    holder.boss = null; // the next caller retries
    throw error;
  });
  return holder.boss;
}

/** Ends the maintenance and the queue's connections. */
export async function closeQueue(): Promise<void> {
  const holder = opened();
  const boss = await holder.boss;
  holder.boss = null;
  await boss?.stop({ graceful: false });
}

async function start(maintains: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    // Separate connections: sending inside a transaction may read the queue's settings, and must not wait for a
    // connection of the pool, which may deadlock.
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
 * Queues runs in the caller's transaction, except those that wait for other systems. Open the queue before the
 * transaction begins.
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
 * Removes up to `limit` due entries from the queue, in the caller's transaction: a rollback restores them. Returns the
 * run ids.
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
