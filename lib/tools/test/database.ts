import pg from "pg";
import { afterAll, inject } from "vitest";

// Every database test file starts with this: the worker's own database, empty.

const url = inject("databases")[Number(process.env.VITEST_POOL_ID) - 1];
if (!url) throw new Error(`No database for worker ${process.env.VITEST_POOL_ID}: more workers than databases.`);
process.env.DATABASE_URL = url;

// A pool of one, and not a client: a test that breaks all connections of the database breaks this one too, and the next
// use opens another.
const own = new pg.Pool({ connectionString: url, max: 1 });
own.on("error", () => {});
await own.query("drop schema if exists pgboss cascade");
await emptyDatabase();
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

/** Removes all rows of all tables, for `beforeEach` in files whose tests would see each other's rows. Only tables that hold rows cost time. */
export async function emptyDatabase(): Promise<void> {
  const { rows: tables } = await own.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`,
  );
  if (tables.length === 0) return;
  const { rows: used } = await own.query<{ name: string }>(
    tables
      .map(({ name }) => `select ${pg.escapeLiteral(name)} as name where exists (select from ${name})`)
      .join(" union all "),
  );
  if (used.length === 0) return;
  await own.query(`truncate ${used.map(({ name }) => name).join(", ")} restart identity cascade`);
}
