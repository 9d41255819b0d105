import { pool } from "@/lib/platform/db/pool";
import type { JobError } from "@/lib/platform/jobs/protocol";

/**
 * A run as listed for operators; `function` is without the application's prefix. `step`: the failed, waiting or current
 * step.
 */
export type ListedRun = {
  id: string;
  function: string;
  event: string;
  status: "queued" | "running" | "waiting" | "done" | "failed";
  step: string | null;
  attempt: number;
  error: JobError | null;
  clock_at: Date | null;
  queued_at: Date;
  started_at: Date | null;
  wake_at: Date | null;
  ended_at: Date | null;
};

/** The latest runs of the embedded engine, newest first, optionally with one status. `limit` defaults to 100. */
export async function listRuns({
  limit = 100,
  status,
}: {
  limit?: number;
  status?: ListedRun["status"];
} = {}): Promise<ListedRun[]> {
  const { rows } = await pool().query<ListedRun>(
    `select r.id, substr(r.function_id, strpos(r.function_id, '-') + 1) as function, r.event->>'name' as event, r.status, s.name as step,
       greatest(r.attempt, coalesce(s.attempt, 0)) as attempt,
       case when r.status in ('failed', 'waiting', 'running', 'queued') then coalesce(r.error, s.error) end as error,
       r.clock_at, r.queued_at, r.started_at, r.wake_at, r.ended_at
     from job_runs r left join lateral (
       select name, attempt, error from job_steps
       where run_id = r.id and (status <> 'done') and r.status <> 'done'
       order by status = 'failed' desc, position desc limit 1) s on true
     where $2::text is null or r.status = $2
     order by r.queued_at desc, r.id desc limit $1`,
    [limit, status ?? null],
  );
  return rows;
}
