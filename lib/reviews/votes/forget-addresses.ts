import { pool } from "@/lib/platform/db/pool";

/**
 * Removes the hash of the address from up to `limit` votes and as many reports older than 24 hours: they count on, but no
 * longer show whether two are by the same visitor. Returns how many. Skips locked rows.
 */
export async function forgetAddresses(limit = 5_000): Promise<number> {
  const votes = await pool().query(
    `update votes v set voter = 'past-' || replace(gen_random_uuid()::text, '-', '')
       from (select client_id, review_id, voter from votes
              where voter like '%.%' and created_at < now() - interval '24 hours'
              order by created_at limit $1 for update skip locked) old
      where v.client_id = old.client_id and v.review_id = old.review_id and v.voter = old.voter`,
    [limit],
  );
  const reports = await pool().query(
    `update flags f set voter = null
       from (select client_id, id from flags
              where voter like '%.%' and created_at < now() - interval '24 hours'
              order by created_at limit $1 for update skip locked) old
      where f.client_id = old.client_id and f.id = old.id`,
    [limit],
  );
  return (votes.rowCount ?? 0) + (reports.rowCount ?? 0);
}
