import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { openQueue, queueRuns } from "@/lib/platform/jobs/queue";
import { wakeSignal } from "@/lib/platform/jobs/wake";

/**
 * Queues a failed run again: finished steps keep their results, failed ones run again with all attempts. Throws
 * `not_found` for an unknown id and `conflict` if the run hasn't failed.
 */
export async function retryRun(id: string): Promise<void> {
  await openQueue();
  await transaction(async (db) => {
    const queued = await db.query<{ isOutside: boolean }>(
      `update job_runs set status = 'queued', attempt = 0, recoveries = 0, error = null, ended_at = null, wake_at = null
       where id = $1 and status = 'failed'
       returning outside as "isOutside"`,
      [id],
    );
    const [run] = queued.rows;
    if (!run) {
      const known = await db.query("select from job_runs where id = $1", [id]);
      if (known.rowCount === 0) throw new AppError("not_found", { reason: "run_not_found" });
      throw new AppError("conflict", { reason: "run_not_failed" });
    }
    await db.query("delete from job_steps where run_id = $1 and status <> 'done'", [id]);
    await queueRuns(db, [{ runId: id, ...run }]);
  });
  wakeSignal("runs").wake();
}
