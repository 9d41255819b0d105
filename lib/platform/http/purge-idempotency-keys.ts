import { pool } from "@/lib/platform/db/pool";

/** Removes up to `limit` answers kept for repeated requests that are older than 24 hours. Answers how many. */
export async function purgeIdempotencyKeys(limit = 5_000): Promise<number> {
  const done = await pool().query(
    `delete from idempotency_keys where (scope, key) in (
       select scope, key from idempotency_keys where created_at < now() - interval '24 hours'
       order by created_at limit $1 for update skip locked)`,
    [limit],
  );
  return done.rowCount ?? 0;
}
