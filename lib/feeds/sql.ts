import type { PoolClient } from "pg";
import type { FeedProduct } from "@/lib/feeds/product-fields";
import { type Dropped, dropRows } from "@/lib/feeds/run-import";
import { copyList, copyText } from "@/lib/platform/parsing/copy-text";

// The rows of a feed are first copied as they are into a table of this connection's own, which nobody else sees and no
// log is written for. A few statements over whole sets then compare it with the catalogue and change what differs.

/** Makes the stage, which lives as long as the connection. */
export async function createStage(db: PoolClient): Promise<void> {
  await db.query(`
    create temporary table staged_products (
      row integer, id text collate "C", name text collate "C", family_id text collate "C", brand text collate "C",
      category text collate "C", url text collate "C", image_url text collate "C", mpn text collate "C",
      gtin14s text[] collate "C", tags text[] collate "C", properties jsonb)`);
}

export const COPY_INTO_STAGE = `
  copy staged_products (row, id, name, family_id, brand, category, url, image_url, mpn, gtin14s, tags, properties)
  from stdin`;

/** A product as one line of COPY's text form. */
export function copyLine(row: number, product: FeedProduct): string {
  return `${row}\t${copyText(product.id)}\t${copyText(product.name)}\t${copyText(product.family_id)}\t${copyText(product.brand)}\t${copyText(
    product.category,
  )}\t${copyText(product.url)}\t${copyText(product.image_url)}\t${copyText(product.mpn)}\t${copyList(product.gtin14s)}\t${copyList(
    product.tags,
  )}\t${product.properties ? copyText(JSON.stringify(product.properties)) : "\\N"}\n`;
}

/** Above so many rows a wrong guess of the planner must not end in a nested loop; up to it an index makes one harmless. */
const MAX_INDEXED_ROWS = 10_000;

export async function indexStage(db: PoolClient, rows: number): Promise<void> {
  if (rows <= MAX_INDEXED_ROWS) await db.query("create index on staged_products (id)");
  await db.query("analyze staged_products");
}

/** Settings of the merge's transaction: room to compare two large sets, and nobody else's merge of this client meanwhile. */
export async function prepareMerge(db: PoolClient, clientId: string, rows: number): Promise<void> {
  await db.query("set local work_mem = '64MB'");
  if (rows > MAX_INDEXED_ROWS) await db.query("set local enable_nestloop = off");
  // Two imports of one client come one after the other.
  await db.query("select pg_advisory_xact_lock(hashtext('candor.products'), hashtext($1))", [clientId]);
}

/** Of an id that comes several times the last row stays. */
export const dropDuplicates = (db: PoolClient): Promise<Dropped> =>
  dropRows(
    db,
    `delete from staged_products s using (select id, max(row) as last from staged_products group by id having count(*) > 1) doubled
      where s.id = doubled.id and s.row < doubled.last returning s.row, 'doubled' as reason`,
  );

/** Rows without a name whose product the catalogue does not know; they are left out. */
export const dropUnnamed = (db: PoolClient, clientId: string): Promise<Dropped> =>
  dropRows(
    db,
    `delete from staged_products s
      where s.name is null and not exists (select from products p where p.client_id = $1 and p.id = s.id)
      returning s.row, 'name_missing' as reason`,
    [clientId],
  );

/**
 * What a known product (p) becomes by its row (s). A row with a name is the whole product: what it leaves out is unset. A
 * row without one adds to it. $2: the feed as a whole only adds, and brings no deleted product back.
 */
const keepUnlessFullRow = (column: string) => `coalesce(s.${column}, case when s.name is null then p.${column} end)`;
const mergedColumnsSql: Record<string, string> = {
  name: "coalesce(s.name, p.name)",
  family_id: "coalesce(s.family_id, case when s.name is null then p.family_id else s.id end)",
  brand: keepUnlessFullRow("brand"),
  category: keepUnlessFullRow("category"),
  url: keepUnlessFullRow("url"),
  image_url: keepUnlessFullRow("image_url"),
  mpn: keepUnlessFullRow("mpn"),
  gtin14s: "coalesce(s.gtin14s, case when s.name is null then p.gtin14s end, '{}')",
  tags: "coalesce(s.tags, p.tags, '{}')",
  properties: "case when s.name is null then p.properties else '{}' end || coalesce(s.properties, '{}')",
  deleted: "p.deleted and $2",
};
const columns = Object.keys(mergedColumnsSql);

export type Comparison = {
  /** products not deleted, and those of them that the feed does not have */
  live: number;
  missing: number;
  /** staged rows of products that exist, and those of them that change the family */
  known: number;
  moved: number;
};

export async function compareWithCatalog(db: PoolClient, clientId: string): Promise<Comparison> {
  const { rows } = await db.query<Comparison>(
    `select (count(*) filter (where not p.deleted))::int as live,
            (count(*) filter (where not p.deleted and s.id is null))::int as missing,
            count(s.id)::int as known,
            (count(*) filter (where s.id is not null and p.family_id is distinct from ${mergedColumnsSql.family_id}))::int as moved
       from products p left join staged_products s on s.id = p.id
      where p.client_id = $1`,
    [clientId],
  );
  return rows[0]!;
}

/** Changes the known products that differ from the feed; answers how many did. */
export async function updateChanged(
  db: PoolClient,
  clientId: string,
  supplemental: boolean,
  moment: Date,
): Promise<number> {
  const { rowCount } = await db.query(
    `update products p
        set ${columns.map((column) => `${column} = ${mergedColumnsSql[column]}`).join(", ")},
            updated_at = greatest($3::timestamptz, p.updated_at)
       from staged_products s
      where p.client_id = $1 and p.id = s.id
        and (${columns.map((column) => `p.${column}`).join(", ")})
            is distinct from (${columns.map((column) => mergedColumnsSql[column]).join(", ")})`,
    [clientId, supplemental, moment],
  );
  return rowCount!;
}

/** Marks what a complete feed does not have; rows and reviews stay. */
export async function deleteMissing(db: PoolClient, clientId: string, moment: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update products p set deleted = true, updated_at = greatest($2::timestamptz, p.updated_at)
      where p.client_id = $1 and not p.deleted
        and not exists (select from staged_products s where s.id = p.id)`,
    [clientId, moment],
  );
  return rowCount!;
}

export async function insertNew(db: PoolClient, clientId: string, moment: Date): Promise<number> {
  const { rowCount } = await db.query(
    `insert into products (client_id, id, family_id, brand, name, category, url, image_url, mpn, gtin14s, tags, properties,
                           created_at, updated_at)
     select $1, s.id, coalesce(s.family_id, s.id), s.brand, s.name, s.category, s.url, s.image_url, s.mpn,
            coalesce(s.gtin14s, '{}'), coalesce(s.tags, '{}'), coalesce(s.properties, '{}'), $2, $2
       from staged_products s
      where s.name is not null and not exists (select from products p where p.client_id = $1 and p.id = s.id)`,
    [clientId, moment],
  );
  return rowCount!;
}
