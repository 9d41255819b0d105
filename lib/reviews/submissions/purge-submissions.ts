import { pool } from "@/lib/platform/db/pool";

/**
 * Removes up to `limit` fingerprints of public submissions that are an hour old; they tell repetitions apart for a
 * minute only. Answers how many.
 */
export async function purgeSubmissions(limit = 5_000): Promise<number> {
  const done = await pool().query(
    `delete from submissions where (client_id, fingerprint) in (
       select client_id, fingerprint from submissions where created_at < now() - interval '1 hour'
       order by created_at limit $1 for update skip locked)`,
    [limit],
  );
  return done.rowCount ?? 0;
}
