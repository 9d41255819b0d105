import pg from "pg";
import { afterAll, inject } from "vitest";
import { filledTables } from "@/lib/tools/test/filled-tables";

// Every database test file starts with this: the worker's own database, empty.

const url = inject("databases")[Number(process.env.VITEST_POOL_ID) - 1];
if (!url) throw new Error(`No database for worker ${process.env.VITEST_POOL_ID}: more workers than databases.`);
process.env.DATABASE_URL = url;

// A pool of one, and not a client: a test that breaks all connections of the database breaks this one too, and the next
// use opens another.
const own = new pg.Pool({ connectionString: url, max: 1 });
own.on("error", () => {});
await own.query("drop schema if exists pgboss cascade");
await truncate(await filledTables(own));
// What `analyze` learnt of an earlier file's rows outlives them, and would choose the plans of this file's. Nothing else
// learns anything: these databases have no autovacuum. (The functions that do this are of PostgreSQL 18.)
await own.query(
  "delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)",
);
await own.query(
  `update pg_class set relpages = 0, reltuples = -1, relallvisible = 0
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and (relpages, reltuples, relallvisible) <> (0, -1, 0)`,
);
afterAll(() => own.end());

/**
 * Removes all rows of all tables, for `beforeEach` in files whose tests would see each other's rows. A few rows are deleted:
 * `truncate` makes new files for each table and all its indexes, a tenth of a second where a dozen tables hold rows.
 */
export async function emptyDatabase(): Promise<void> {
  const filled = await filledTables(own);
  if (filled.length === 0) return;
  const { rows: large } = await own.query<{ name: string }>(
    "select name from unnest($1::text[]) name where pg_relation_size(name::regclass) > 1024 * 1024",
    [filled],
  );
  if (large.length > 0) return truncate(filled);
  // Without triggers: what they would keep in step goes as well.
  await own.query(`
    begin;
    set local session_replication_role = replica;
    ${filled.map((name) => `delete from ${name};`).join("\n")}
    select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences
     where schemaname = 'public' and last_value is not null;
    commit`);
}

async function truncate(tables: string[]): Promise<void> {
  if (tables.length > 0) await own.query(`truncate ${tables.join(", ")} restart identity cascade`);
}
