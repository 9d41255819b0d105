import type { PoolClient } from "pg";
import type { ExternalTotal } from "@/lib/feeds/external-ratings/read-externals";
import { type DroppedRows, dropRows } from "@/lib/feeds/run-import";
import { copyText } from "@/lib/platform/db/copy-format";

// As in product feeds, rows are copied into a temporary table of this connection, and a few set-based statements
// compare it with the stored totals.

const keyColumns = ["product_id", "kind", "source", "locale", "country"];
const valueColumns = ["count", "score_dist", "url"];
const sameKeySql = keyColumns.map((column) => `e.${column} = s.${column}`).join(" and ");
const qualified = (columns: string[], of: string) => columns.map((column) => `${of}.${column}`).join(", ");

/** Creates the staging table, which is dropped with the connection. */
export async function createStage(db: PoolClient): Promise<void> {
  await db.query(`
    create temporary table staged_totals (
      row integer, product_id text collate "C", kind text collate "C", source text collate "C", locale text collate "C",
      country text collate "C", count integer, score_dist integer[], url text collate "C")`);
}

export const COPY_INTO_STAGE = `copy staged_totals (row, ${[...keyColumns, ...valueColumns].join(", ")}) from stdin`;

/** A total as a line in COPY's text format. */
export const copyLine = (row: number, total: ExternalTotal): string =>
  `${[
    row,
    copyText(total.product_id),
    total.kind,
    copyText(total.source),
    total.locale,
    total.country,
    total.count,
    `{${total.score_dist.join(",")}}`,
    copyText(total.url),
  ].join("\t")}\n`;

export async function indexStage(db: PoolClient): Promise<void> {
  await db.query(`create index on staged_totals (${keyColumns.join(", ")})`);
  await db.query("analyze staged_totals");
}

/** Makes imports of one client run one after the other. */
export async function lockTotals(db: PoolClient, clientId: string): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtext('candor.externals'), hashtext($1))", [clientId]);
}

/** Of duplicate totals, keeps the last row. */
export const dropDuplicates = (db: PoolClient): Promise<DroppedRows> =>
  dropRows(
    db,
    `delete from staged_totals s
      using (select ${keyColumns.join(", ")}, max(row) as last from staged_totals group by ${keyColumns.join(", ")} having count(*) > 1) e
      where ${sameKeySql} and s.row < e.last returning s.row, 'doubled' as reason`,
  );

export type MergeCounts = { created: number; updated: number; deleted: number };

/**
 * Makes the stored totals equal the staged ones; with `complete`, also deletes those missing from the stage. A single
 * statement: its triggers lock the client's row, so the lock is taken only at its end.
 */
export async function mergeStage(
  db: PoolClient,
  clientId: string,
  complete: boolean,
  moment: Date,
): Promise<MergeCounts> {
  const { rows } = await db.query<MergeCounts>(
    `with changed as (
       update external_totals e set ${valueColumns.map((column) => `${column} = s.${column}`).join(", ")},
              updated_at = greatest($3::timestamptz, e.updated_at)
         from staged_totals s
        where e.client_id = $1 and ${sameKeySql} and (${qualified(valueColumns, "e")}) is distinct from (${qualified(valueColumns, "s")})
       returning 1),
     added as (
       insert into external_totals (client_id, ${keyColumns.join(", ")}, ${valueColumns.join(", ")}, updated_at)
       select $1, ${qualified(keyColumns, "s")}, ${qualified(valueColumns, "s")}, $3 from staged_totals s
        where not exists (select from external_totals e where e.client_id = $1 and ${sameKeySql})
       returning 1),
     dropped as (
       delete from external_totals e
        where $2 and e.client_id = $1 and not exists (select from staged_totals s where ${sameKeySql})
       returning 1)
     select (select count(*) from added)::int as created, (select count(*) from changed)::int as updated,
            (select count(*) from dropped)::int as deleted`,
    [clientId, complete, moment],
  );
  return rows[0] as MergeCounts;
}
