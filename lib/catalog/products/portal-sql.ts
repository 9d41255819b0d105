import type { Product } from "@/lib/catalog/products/schema";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";

export type CatalogRow = {
  id: string;
  family_id: string;
  brand: string | null;
  name: string;
  category: string | null;
  image_url: string | null;
  deleted: boolean;
  count: number;
  sum: number;
  hit: boolean;
  /** True for the row at which the scan limit ended the page. */
  edge: boolean;
};

/** Filters of the catalog list: text in name, brand or ids; one family; only active or only removed products. */
export type CatalogFilter = { q?: string; family?: string; state?: "sold" | "deleted" };

/**
 * Up to `limit` matching products by id, from at most `maxScanned`, starting after the id `after`. The last row is where
 * the next page starts, whether it matches or not.
 */
export async function selectCatalog(
  db: Db,
  clientId: string,
  { q, family, state }: CatalogFilter,
  { after, descending }: { after: string | null; descending: boolean },
  limit: number,
  maxScanned: number,
): Promise<CatalogRow[]> {
  const values: unknown[] = [clientId, limit, maxScanned];
  const value = (given: unknown) => `$${values.push(given)}`;
  const hits = ["true"];
  if (q !== undefined) {
    const like = value(`%${q.replaceAll(/[\\%_]/g, "\\$&")}%`);
    const exact = value(q);
    hits.push(
      `(p.name ilike ${like} or p.brand ilike ${like} or p.id ilike ${like} or p.family_id = ${exact} or p.mpn = ${exact}
        or lpad(${exact}, 14, '0') = any(p.gtin14s))`,
    );
  }
  if (state !== undefined) hits.push(state === "deleted" ? "p.deleted" : "not p.deleted");
  const direction = descending ? "desc" : "asc";
  const rest = after === null ? "" : `and p.id ${descending ? "<" : ">"} ${value(after)}`;
  // Families have an index of their own; all other filters scan in id order.
  const text = `
    with seen as (
      select p.id, p.family_id, p.brand, p.name, p.category, p.image_url, p.deleted, coalesce(${hits.join(" and ")}, false) as hit
        from products p where p.client_id = $1 ${rest} ${family === undefined ? "" : `and p.family_id = ${value(family)}`}
       order by p.id ${direction} limit $3),
    numbered as (select s.*, count(*) filter (where hit) over w as nth, row_number() over w as at
                   from seen s window w as (order by id ${direction}))
    select n.id, n.family_id, n.brand, n.name, n.category, n.image_url, n.deleted, n.hit, n.at = $3 as edge,
           coalesce(m.count, 0) as count, coalesce(m.sum, 0) as sum
      from numbered n left join product_summaries m on n.hit and m.client_id = $1 and m.product_id = n.id
     where n.hit and n.nth <= $2 or n.at = $3
     order by n.id ${direction}`;
  const { rows } = await db.query<CatalogRow>({ name: statementName(text), text, values });
  return rows;
}

/** One month's reviews of a product: their number, sum of scores and oldest date. */
export type MonthRow = { month: string; count: number; sum: number; oldest: string };

/** Maximum number of newest reviews counted by month. */
export const MAX_MONTH_REVIEWS = 100_000;

/** The newest accepted reviews of a product since a day, by month, read in the order of the display index. */
export async function selectMonths(db: Db, clientId: string, productId: string, from: string): Promise<MonthRow[]> {
  const { rows } = await db.query<MonthRow>({
    name: "product-months",
    text: `select to_char(date, 'YYYY-MM') as month, count(*)::int as count, sum(score)::int as sum, min(date) as oldest
             from (select date, score from reviews
                    where client_id = $1 and product_id = $2 and accepted and date >= $3::date
                    order by date desc, created_at desc, id desc limit ${MAX_MONTH_REVIEWS}) r
            group by 1 order by 1`,
    values: [clientId, productId, from],
  });
  return rows;
}

export type VariantRow = { id: string; name: string; deleted: boolean; count: number; sum: number };

/** The products of a family by id, with their counters. */
export async function selectVariants(db: Db, clientId: string, familyId: string, limit: number): Promise<VariantRow[]> {
  const { rows } = await db.query<VariantRow>({
    name: "product-variants",
    text: `select p.id, p.name, p.deleted, coalesce(m.count, 0) as count, coalesce(m.sum, 0) as sum
             from (select id, name, deleted from products where client_id = $1 and family_id = $2 order by id limit $3) p
             left join product_summaries m on m.client_id = $1 and m.product_id = p.id
            order by p.id`,
    values: [clientId, familyId, limit],
  });
  return rows;
}

export type CounterRow = { count: number; sum: number; dist: number[] };

/** The counters of a product and of its family; zeros if there are none yet. */
export async function selectCounters(
  db: Db,
  clientId: string,
  productId: string,
  familyId: string,
): Promise<{ product: CounterRow; family: CounterRow }> {
  const { rows } = await db.query<CounterRow & { of: "product" | "family" }>({
    name: "product-counted",
    text: `select 'product' as of, count, sum, array[c1, c2, c3, c4, c5] as dist from product_summaries where client_id = $1 and product_id = $2
           union all
           select 'family', count, sum, array[c1, c2, c3, c4, c5] from family_summaries where client_id = $1 and family_id = $3`,
    values: [clientId, productId, familyId],
  });
  const none = { count: 0, sum: 0, dist: [0, 0, 0, 0, 0] };
  return {
    product: rows.find((row) => row.of === "product") ?? none,
    family: rows.find((row) => row.of === "family") ?? none,
  };
}

export type TotalRow = {
  kind: string;
  source: string;
  locale: string;
  country: string;
  count: number;
  score_dist: number[];
  url: string | null;
};

/** Imported totals of a product on other sites. */
export async function selectTotals(db: Db, clientId: string, productId: string, limit: number): Promise<TotalRow[]> {
  const { rows } = await db.query<TotalRow>({
    name: "product-totals",
    text: `select kind, source, locale, country, count, score_dist, url from external_totals
            where client_id = $1 and product_id = $2 order by kind, source, locale, country limit $3`,
    values: [clientId, productId, limit],
  });
  return rows;
}

export type ProductRow = Omit<Product, "created_at" | "updated_at"> & { created_at: Date; updated_at: Date };

export async function selectProduct(db: Db, clientId: string, id: string): Promise<ProductRow | null> {
  const { rows } = await db.query<ProductRow>({
    name: "portal-product",
    text: `select id, family_id, brand, name, category, url, image_url, mpn, gtin14s, tags, match_status, deleted,
                  properties, created_at, updated_at
             from products where client_id = $1 and id = $2`,
    values: [clientId, id],
  });
  return rows[0] ?? null;
}

/** The first `limit` brands or categories of a catalog by name, in one spelling each: one probe of the index for each. */
export async function selectNames(
  db: Db,
  clientId: string,
  column: "brand" | "category",
  limit: number,
): Promise<string[]> {
  const next = (after: string) => `(select lower(${column}) as key, ${column} as name from products
    where client_id = $1 and ${column} is not null ${after} order by lower(${column}) limit 1)`;
  const { rows } = await db.query<{ name: string }>({
    name: `catalog-names-${column}`,
    text: `with recursive names as (
             ${next("")}
             union all select n.* from names b cross join lateral ${next(`and lower(${column}) > b.key`)} n)
           select name from names limit $2`,
    values: [clientId, limit],
  });
  return rows.map(({ name }) => name);
}
