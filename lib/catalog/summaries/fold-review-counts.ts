import { transaction } from "@/lib/platform/db/pool";

/**
 * Replaces the changes of up to `limit` days of clients by their sums (prisma/sql/15_review_counts.sql). Rows at zero are
 * dropped. Returns how many changes there were; 0 if another process is at it.
 */
export const foldReviewCounts = (limit = 100): Promise<number> =>
  transaction(async (db) => {
    const { rows: locks } = await db.query<{ locked: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('fold review counts', 0)) as locked",
    );
    if (!locks[0]?.locked) return 0;
    // Their clients aren't deleted meanwhile: the sums of one that is would stay.
    const { rows: days } = await db.query<{ client_id: string; date: string }>(
      `with days as (select distinct client_id, date from review_counts where not folded order by 1, 2 limit $1),
            locked as (select pg_advisory_xact_lock_shared(client_lock(client_id)) from (select distinct client_id from days order by 1) c)
       select client_id, date::text from days where (select count(*) from locked) >= 0`,
      [limit],
    );
    const { rows } = await db.query<{ changes: number }>(
      `with days as (
         select d.client_id, d.date from unnest($1::text[], $2::date[]) d(client_id, date) join clients c on c.id = d.client_id),
            gone as (delete from review_counts c using days d where c.client_id = d.client_id and c.date = d.date returning c.*),
            sums as (
              insert into review_counts (client_id, date, source, lang, score, accepted, count, folded)
              select client_id, date, source, lang, score, accepted, sum(count), true from gone
               group by 1, 2, 3, 4, 5, 6 having sum(count) <> 0)
       select count(*) filter (where not folded)::int as changes from gone`,
      [days.map(({ client_id }) => client_id), days.map(({ date }) => date)],
    );
    return rows[0]?.changes ?? 0;
  });
