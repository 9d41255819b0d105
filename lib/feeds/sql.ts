import type { PoolClient } from "pg";
import type { FeedProduct } from "@/lib/feeds/product-fields";
import { type DroppedRows, dropRows } from "@/lib/feeds/run-import";
import { copyList, copyText } from "@/lib/platform/db/copy-format";

// Rows of a feed are first copied unchanged into a temporary table of this connection, which isn't logged. A few
// set-based statements then compare it with the catalog and apply the differences.

/** Creates the staging table, which is dropped with the connection. */
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

/** A product as a line in COPY's text format. */
export function copyLine(row: number, product: FeedProduct): string {
  return `${row}\t${copyText(product.id)}\t${copyText(product.name)}\t${copyText(product.family_id)}\t${copyText(product.brand)}\t${copyText(
    product.category,
  )}\t${copyText(product.url)}\t${copyText(product.image_url)}\t${copyText(product.mpn)}\t${copyList(product.gtin14s)}\t${copyList(
    product.tags,
  )}\t${product.properties ? copyText(JSON.stringify(product.properties)) : "\\N"}\n`;
}

/**
 * Above this number of rows, nested loops are disabled in case the planner misestimates; below, an index makes them
 * harmless.
 */
const MAX_INDEXED_ROWS = 10_000;

export async function indexStage(db: PoolClient, rows: number): Promise<void> {
  if (rows <= MAX_INDEXED_ROWS) await db.query("create index on staged_products (id)");
  await db.query("analyze staged_products");
}

/**
 * Prepares the merge's transaction: memory to compare two large sets, and a lock against other merges of this client.
 */
export async function prepareMerge(db: PoolClient, clientId: string, rows: number): Promise<void> {
  await db.query("set local work_mem = '64MB'");
  if (rows > MAX_INDEXED_ROWS) await db.query("set local enable_nestloop = off");
  // Imports of one client run one after the other.
  await db.query("select pg_advisory_xact_lock(hashtext('candor.products'), hashtext($1))", [clientId]);
}

/** Of a duplicate id, keeps the last row. */
export const dropDuplicates = (db: PoolClient): Promise<DroppedRows> =>
  dropRows(
    db,
    `delete from staged_products s using (select id, max(row) as last from staged_products group by id having count(*) > 1) doubled
      where s.id = doubled.id and s.row < doubled.last returning s.row, 'doubled' as reason`,
  );

/** Removes rows without a name whose product isn't in the catalog. */
export const dropUnnamed = (db: PoolClient, clientId: string): Promise<DroppedRows> =>
  dropRows(
    db,
    `delete from staged_products s
      where s.name is null and not exists (select from products p where p.client_id = $1 and p.id = s.id)
      returning s.row, 'name_missing' as reason`,
    [clientId],
  );

/**
 * New values of an existing product (p) from its row (s). A row with a name is the whole product and clears what it
 * leaves out; a row without one only adds. $2: the whole feed only supplements, and restores no deleted product.
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
  /** Active products, and those of them missing from the feed. */
  live: number;
  missing: number;
  /** Staged rows of existing products, and those of them that change the family. */
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

/** Updates the existing products that differ from the feed; returns their number. */
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

/** Marks products missing from a complete feed as deleted; their rows and reviews stay. */
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
