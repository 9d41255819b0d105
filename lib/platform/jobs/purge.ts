import { pool } from "@/lib/platform/db/pool";

/** Removes up to `limit` facts that were delivered more than three days ago. Answers how many. */
export async function purgeOutbox(limit = 5_000): Promise<number> {
  const done = await pool().query(
    `delete from outbox where id in (
       select id from outbox where relayed_at < now() - interval '3 days' order by relayed_at limit $1 for update skip locked)`,
    [limit],
  );
  return done.rowCount ?? 0;
}

/** Removes up to `limit` runs that ended more than 30 days ago, with their steps. Answers how many. */
export async function purgeRuns(limit = 1_000): Promise<number> {
  const done = await pool().query(
    `delete from job_runs where id in (
       select id from job_runs where ended_at < now() - interval '30 days' order by ended_at limit $1 for update skip locked)`,
    [limit],
  );
  return done.rowCount ?? 0;
}
