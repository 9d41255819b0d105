import { pool } from "@/lib/platform/db/pool";

/**
 * Removes up to `limit` reports of imports that ended more than 90 days ago, so that a feed which fails every hour does not
 * fill the list for ever. Answers how many.
 */
export async function purgeImports(limit = 1_000): Promise<number> {
  const done = await pool().query(
    `delete from feed_imports where (client_id, id) in (
       select client_id, id from feed_imports
        where status in ('done', 'refused', 'failed') and finished_at < now() - interval '90 days'
        limit $1 for update skip locked)`,
    [limit],
  );
  return done.rowCount ?? 0;
}
