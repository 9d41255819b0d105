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
