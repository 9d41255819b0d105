import { z } from "zod";
import { type Db, pool } from "@/lib/platform/db/pool";

/**
 * The subject of a run. `clientId`: null for a job of the whole installation. `part`: the feed, webhook, integration or
 * person, if a store has several.
 */
export type JobSubject = { job: string; clientId: string | null; part?: string };

const subject = z.object({
  client_id: z.string().nullish(),
  feed_id: z.string().nullish(),
  webhook_id: z.string().nullish(),
  kind: z.string().nullish(),
});

/** The subject of a run of this function, from its event's data. */
export function subjectOf(job: string, data: unknown): JobSubject {
  const { client_id, feed_id, webhook_id, kind } = subject.safeParse(data).data ?? {};
  return { job, clientId: client_id ?? null, part: feed_id ?? webhook_id ?? kind ?? "" };
}

/**
 * Records that a job's run failed permanently. Cleared when a run with the same job, store and part succeeds. Returns
 * whether it had failed before (`again`) or starts failing; null if the store was deleted meanwhile.
 */
export async function recordJobFailure(
  { job, clientId, part = "" }: JobSubject,
  runId: string,
  db: Db = pool(),
): Promise<"first" | "again" | null> {
  const { rows } = await db.query<{ is_first: boolean }>({
    name: "job-failure-record",
    // A store that was deleted meanwhile has nothing to show.
    text: `insert into job_failures (job, client_id, part, run_id)
           select $1, $2, $3, $4 where $2::text is null or exists (select from clients where id = $2)
           on conflict (job, client_id, part) do update set run_id = excluded.run_id, failed_at = now()
           returning xmax = 0 as is_first`,
    values: [job, clientId, part, runId],
  });
  return rows[0] ? (rows[0].is_first ? "first" : "again") : null;
}

export async function clearJobFailure({ job, clientId, part = "" }: JobSubject, db: Db = pool()): Promise<void> {
  await db.query({
    name: "job-failure-clear",
    text: "delete from job_failures where job = $1 and client_id is not distinct from $2 and part = $3",
    values: [job, clientId, part],
  });
}

/** Deletes failures of a deleted feed, webhook or integration: its jobs no longer run, so none could succeed. */
export async function deleteJobFailures(db: Db, clientId: string, part: string): Promise<void> {
  await db.query("delete from job_failures where client_id = $1 and part = $2", [clientId, part]);
}

const RETENTION_DAYS = 30;

/** Deletes failures after their retention, of one client if given. Returns the number deleted. */
export async function purgeJobFailures(limit = 5_000, clientId: string | null = null): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from job_failures where id = any(array(
       select id from job_failures where failed_at < now() - interval '${RETENTION_DAYS} days'
          and ($2::text is null or client_id = $2) limit $1))`,
    [limit, clientId],
  );
  return rowCount ?? 0;
}

/**
 * Names of failing jobs, each with the number of failing stores and parts, without test stores. Names no store, so anyone
 * may read it.
 */
export async function countFailingJobs(): Promise<{ job: string; failing: number }[]> {
  const { rows } = await pool().query<{ job: string; failing: number }>({
    name: "job-failures-count",
    text: `select job, count(*)::int as failing from job_failures f
            where not exists (select from clients c where c.id = f.client_id and c.test_days is not null)
            group by job order by job`,
  });
  return rows;
}
