import { pool } from "@/lib/platform/db/pool";
import { closeQueue, openQueue, queueRuns } from "@/lib/platform/jobs/queue";

/**
 * Queues every run that waits for its turn or its time. A restored database has the runs and an empty queue;
 * an entry too many does no harm. Runs that an engine was at are taken up by the next engine itself.
 */
export async function queueUnfinishedRuns(): Promise<void> {
  await openQueue();
  for (let last = ""; ; ) {
    const { rows } = await pool().query<{ runId: string; isOutside: boolean; at: Date | null }>(
      `select id as "runId", outside as "isOutside", wake_at as at from job_runs
        where id > $1 and ended_at is null and not parked and (status = 'queued' or status = 'waiting' and wake_at is not null)
        order by id limit 1000`,
      [last],
    );
    if (rows.length === 0) break;
    await queueRuns(pool(), rows);
    last = rows.at(-1)!.runId;
  }
  await closeQueue();
}
