import { pool } from "@/lib/platform/db/pool";

/**
 * Replaces the changes of up to `limit` days of clients by their sums (prisma/sql/15_review_counts.sql). Rows at zero are
 * dropped. Returns how many changes there were.
 */
export async function foldReviewCounts(limit = 500): Promise<number> {
  const { rows } = await pool().query<{ changes: number }>(
    `with days as (select distinct client_id, date from review_counts where not folded limit $1),
          gone as (delete from review_counts c using days d where c.client_id = d.client_id and c.date = d.date returning c.*),
          sums as (
            insert into review_counts (client_id, date, source, lang, score, accepted, count, folded)
            select client_id, date, source, lang, score, accepted, sum(count), true from gone
             group by 1, 2, 3, 4, 5, 6 having sum(count) <> 0)
     select count(*) filter (where not folded)::int as changes from gone`,
    [limit],
  );
  return rows[0]?.changes ?? 0;
}
