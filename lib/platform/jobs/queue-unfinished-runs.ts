import { pool } from "@/lib/platform/db/pool";
import { closeQueue, openQueue, queueRuns } from "@/lib/platform/jobs/queue";

/**
 * Queues every queued or waiting run, for a restored database, which has runs but an empty queue. Duplicate entries are
 * harmless. Runs that were executing are recovered by the next engine.
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
