import { transaction } from "@/lib/platform/db/pool";

/** Rows looked at by one statement: well within the time that incremental readers allow a write. */
const BATCH = 1_000;

/**
 * Gives each review and question of a client the family that its product has in the catalogue now, after an import moved
 * products or brought ones that already had reviews. Each batch is a transaction of its own; triggers keep the public JSON,
 * `updated_at` and the summaries in step. Doing it again finds nothing to do, so after a crash it is simply repeated.
 * Answers how many rows changed.
 */
export async function followFamilies(clientId: string): Promise<number> {
  return (await follow("reviews", clientId)) + (await follow("questions", clientId));
}

async function follow(table: "reviews" | "questions", clientId: string): Promise<number> {
  let changed = 0;
  for (let after = ""; ; ) {
    const { rows } = await transaction((db) =>
      db.query<{ seen: number; last: string | null; changed: number }>(
        `with page as (
         select id, product_id, family_id from ${table} where client_id = $1 and id > $2 order by id limit ${BATCH}),
       moved as (
         select page.id, p.family_id from page join products p on p.client_id = $1 and p.id = page.product_id
          where page.family_id is distinct from p.family_id),
       -- in order, so that two imports at once wait for each other instead of locking each other out
       held as (
         select id from ${table} where client_id = $1 and id in (select id from moved) order by id for update),
       done as (
         update ${table} r set family_id = moved.family_id from moved join held using (id)
          where r.client_id = $1 and r.id = moved.id returning 1)
       select (select count(*) from page)::int as seen, (select max(id) from page) as last,
              (select count(*) from done)::int as changed`,
        [clientId, after],
      ),
    );
    const { seen, last, changed: some } = rows[0]!;
    changed += some;
    if (seen < BATCH) return changed;
    after = last!;
  }
}
