import { pool, transaction } from "@/lib/platform/db/pool";

/** Rows per statement: well within the time that incremental readers allow for a write. */
const BATCH = 1_000;

/**
 * Gives each review and question of a client its product's current family in the catalog, after an import moved
 * products or added ones that already had reviews. Each batch is its own transaction; triggers update the public JSON,
 * `updated_at` and the summaries. Idempotent, so it is simply repeated after a crash. Returns the number of changed
 * rows.
 */
export async function syncFamilies(clientId: string): Promise<number> {
  return (await syncTable("reviews", clientId)) + (await syncTable("questions", clientId));
}

async function syncTable(table: "reviews" | "questions", clientId: string): Promise<number> {
  let changed = 0;
  for (let after = ""; ; ) {
    const { rows } = await transaction((db) =>
      db.query<{ seen: number; last: string | null; changed: number }>(
        `with page as (
         select id, product_id, family_id from ${table} where client_id = $1 and id > $2 order by id limit ${BATCH}),
       moved as (
         select page.id, p.family_id from page join products p on p.client_id = $1 and p.id = page.product_id
          where page.family_id is distinct from p.family_id),
       -- in order, so that concurrent imports wait for each other without deadlocks
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
    const { seen, last, changed: changedInBatch } = rows[0]!;
    changed += changedInBatch;
    if (seen < BATCH) return changed;
    after = last!;
  }
}

/**
 * Gives reviews and questions of items missing from the catalog the family that an order gave last; without one,
 * reviews by order that have no family get the item's own id. Idempotent.
 */
export async function syncOrderFamilies(clientId: string, productIds: string[]): Promise<number> {
  let changed = 0;
  for (const productId of productIds) {
    const { rows } = await pool().query<{ given: string | null; families: string[] }>(
      `select (array_agg(family_id order by updated_at desc, order_id desc))[1] as given,
              array_agg(distinct family_id) || $2::text as families
         from order_items where client_id = $1 and id = $2 and family_id is not null`,
      [clientId, productId],
    );
    const { given, families } = rows[0]!;
    const hasFamily = given !== null;
    const values = [clientId, productId, given ?? productId, ...(hasFamily ? [families] : [])];
    for (const table of hasFamily ? (["reviews", "questions"] as const) : (["reviews"] as const)) {
      // Filters by possible families, since there is no index of all reviews by product.
      const move = `update ${table} set family_id = $3 where client_id = $1 and id = any(array(
        select id from ${table} where client_id = $1 and product_id = $2 and family_id is distinct from $3
           and (family_id is null ${hasFamily ? "or family_id = any($4)" : "and order_id is not null"})
           and not exists (select from products where client_id = $1 and id = $2)
         order by id limit ${BATCH} for update))`;
      for (let some = BATCH; some === BATCH; changed += some)
        some = (await transaction((db) => db.query(move, values))).rowCount ?? 0;
    }
  }
  return changed;
}
