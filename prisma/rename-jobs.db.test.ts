import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { renamed } from "@/inngest";
import { pool } from "@/lib/platform/db/pool";

const migration = readFileSync(
  path.join(import.meta.dirname, "migrations/20261127000000_rename_jobs/migration.sql"),
  "utf8",
);

it("moves runs, their limits and failures of renamed jobs to the new names", async () => {
  const db = await pool().connect();
  try {
    await db.query("begin");
    await db.query(
      `insert into job_runs (id, function_id, event_id, event, status, group_key, share_key, parked, parked_in, debounce_key)
       select name, 'candor-' || name, 'cron-candor-' || name || '-1', jsonb_build_object('id', 'cron-candor-' || name || '-1'),
              'queued', 'candor-' || name || ':a', 'candor-' || name || '/1:b', true, 'candor-' || name || ':a',
              'candor-' || name || ':c:'
         from unnest($1::text[]) as name`,
      [[...Object.keys(renamed), "send-mail"]],
    );
    await db.query("update job_runs set event = '{}' where id = 'tell-webhook'");
    await db.query("insert into job_failures (job, run_id) select name, name from unnest($1::text[]) as name", [
      Object.keys(renamed),
    ]);
    await db.query(migration);
    const { rows } = await db.query("select * from job_runs");
    const names: Record<string, string> = { ...renamed, "send-mail": "send-mail" };
    expect(rows).toHaveLength(Object.keys(names).length);
    for (const row of rows) {
      const name = `candor-${names[row.id]}`;
      expect(row).toMatchObject({
        function_id: name,
        event_id: `cron-${name}-1`,
        event: row.id === "tell-webhook" ? {} : { id: `cron-${name}-1` },
        group_key: `${name}:a`,
        share_key: `${name}/1:b`,
        parked_in: `${name}:a`,
        debounce_key: `${name}:c:`,
      });
    }
    const failures = await db.query("select job, run_id from job_failures");
    expect(Object.fromEntries(failures.rows.map(({ job, run_id }) => [run_id, job]))).toEqual(renamed);
  } finally {
    await db.query("rollback");
    db.release();
  }
});
