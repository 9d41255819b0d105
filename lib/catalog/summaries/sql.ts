import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";

export type CountRow = {
  id: string;
  family_id: string;
  title: string;
  brand: string | null;
  count: number;
  sum: number;
  c1: number;
  c2: number;
  c3: number;
  c4: number;
  c5: number;
  /** False only for the last row scanned if it isn't part of the page. */
  listed: boolean;
  /** True for the last row scanned: others may follow. */
  edge: boolean;
};

/** Maximum products or families scanned per page; more than a page can hold. */
export const MAX_SCANNED = 5_000;

const countColumns = `coalesce(s.count, 0) as count, coalesce(s.sum, 0) as sum, coalesce(s.c1, 0) as c1, coalesce(s.c2, 0) as c2,
  coalesce(s.c3, 0) as c3, coalesce(s.c4, 0) as c4, coalesce(s.c5, 0) as c5`;

async function selectCounts(db: Db, text: string, values: unknown[]): Promise<CountRow[]> {
  const { rows } = await db.query<CountRow>({ name: statementName(text), text, values });
  return rows;
}

type SelectPage = (db: Db, clientId: string, after: string, limit: number, maxScanned?: number) => Promise<CountRow[]>;

/**
 * Products by id after `after`, with their counters; deleted ones only if they have reviews. A catalog may have far
 * more deleted products than active ones, so a page scans at most `reach` rows and returns the last of them as `edge`.
 * `offset 0` makes the planner look up counters per product instead of scanning all of them up to the page.
 */
export const selectProductPage: SelectPage = (db, clientId, after, limit, maxScanned = MAX_SCANNED) =>
  selectCounts(
    db,
    `select *, place = $4 as edge from (
       select p.id, p.family_id, p.name as title, p.brand, ${countColumns}, not p.deleted or coalesce(s.count > 0, false) as listed,
              row_number() over (order by p.id) as place
         from products p left join lateral (
                select * from product_summaries ps where ps.client_id = $1 and ps.product_id = p.id offset 0) s on true
        where p.client_id = $1 and p.id > $2
        order by p.id limit $4) looked
      where listed or place = $4 order by id limit $3`,
    [clientId, after, limit, maxScanned],
  );

/**
 * Families by id after `after`. A recursive loose index scan jumps from family to family, so the cost depends on the
 * number of families, not of products. Skips families without reviews whose products are all deleted; bounds and
 * counters as for products. A scalar subquery instead of `exists`, for which the planner may hash the whole catalog.
 */
export const selectFamilyPage: SelectPage = (db, clientId, after, limit, maxScanned = MAX_SCANNED) =>
  selectCounts(
    db,
    `with recursive family(id) as (
       (select family_id from products where client_id = $1 and family_id > $2 order by family_id limit 1)
       union all
       select (select p.family_id from products p where p.client_id = $1 and p.family_id > f.id order by p.family_id limit 1)
         from family f where f.id is not null)
     select *, place = $4 as edge from (
       select f.id, f.id as family_id, f.id as title, null as brand, ${countColumns},
              coalesce(s.count > 0, false) or coalesce((
                select true from products p where p.client_id = $1 and p.family_id = f.id and not p.deleted limit 1), false) as listed,
              row_number() over () as place
         from family f left join lateral (
                select * from family_summaries fs where fs.client_id = $1 and fs.family_id = f.id offset 0) s on true
        where f.id is not null
        limit $4) looked
      where listed or place = $4 limit $3`,
    [clientId, after, limit, maxScanned],
  );

export type AnswerFacetRow = { subject_id: string; facet: string; value: string; count: number };

/** Number of times each answer was given in accepted reviews of these products. */
export async function selectAnswerFacets(
  db: Db,
  clientId: string,
  ids: string[],
  facets: string[],
): Promise<AnswerFacetRow[]> {
  const text = `select subject_id, facet, value, count from review_facets
     where client_id = $1 and kind = 'product' and subject_id = any($2) and facet = any($3)`;
  const { rows } = await db.query<AnswerFacetRow>({ name: statementName(text), text, values: [clientId, ids, facets] });
  return rows;
}
