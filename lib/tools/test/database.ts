import pg from "pg";
import { afterAll, inject } from "vitest";
import { closePools } from "@/lib/tools/test/close-pools";
import { nonEmptyTables, ownTables } from "@/lib/tools/test/filled-tables";

// Setup of every database test file: the worker's own database, empty.

const LOCK_TIMEOUT = "55P03";
const DEADLOCK = "40P01";

const url = inject("databases")[Number(process.env.VITEST_POOL_ID) - 1];
if (!url) throw new Error(`No database for worker ${process.env.VITEST_POOL_ID}: more workers than databases.`);
process.env.DATABASE_URL = url;

// A pool of one instead of a client: a test that breaks all connections of the database breaks this one too, and the
// next use opens another.
const adminPool = new pg.Pool({ connectionString: url, max: 1 });
adminPool.on("error", () => {});
await adminPool.query("drop schema if exists pgboss cascade");
await emptyDatabase();
// Statistics from `analyze` in an earlier file outlive its rows and would affect this file's query plans. These
// databases have no autovacuum, so nothing else collects statistics. (PostgreSQL has functions for this only since 18.)
await adminPool.query(
  "delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)",
);
await adminPool.query(
  `update pg_class set relpages = 0, reltuples = -1, relallvisible = 0
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and (relpages, reltuples, relallvisible) <> (0, -1, 0)`,
);
afterAll(async () => {
  try {
    await closePools();
  } finally {
    await adminPool.end();
  }
});

/**
 * Deletes all rows of all tables, for `beforeEach` in files whose tests would see each other's rows. Waits for open
 * transactions, such as a job's, which would write into the emptied tables.
 */
export async function emptyDatabase(): Promise<void> {
  await emptyDatabaseWithin(10_000);
}

/** @param milliseconds how long to wait for an open transaction */
export async function emptyDatabaseWithin(milliseconds: number): Promise<void> {
  await withTablesLocked(milliseconds, async (db) => {
    const filled = await nonEmptyTables(db);
    if (filled.length === 0) return;
    const { rows: large } = await db.query<{ name: string }>(
      "select name from unnest($1::text[]) name where pg_table_size(name::regclass) > 256 * 1024",
      [filled],
    );
    if (large.length > 0) return truncate(db, filled);
    // `delete` because there are few rows: `truncate` creates new files for each table and its indexes, a tenth of a
    // second for a dozen tables. Without triggers, since the data they maintain is deleted as well.
    await db.query(`
      set local session_replication_role = replica;
      ${filled.map((name) => `delete from ${name};`).join("\n")}
      select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences
       where schemaname = 'public' and last_value is not null`);
  });
}

async function truncate(db: pg.ClientBase, tables: string[]): Promise<void> {
  if (tables.length > 0) await db.query(`truncate ${tables.join(", ")} restart identity cascade`);
}

/**
 * Runs `work` in a transaction that locks all tables against writers. If a lock isn't granted quickly, it releases all
 * locks and tries again: otherwise it would deadlock with a transaction that has one of these tables and waits for
 * another.
 */
async function withTablesLocked(milliseconds: number, work: (db: pg.ClientBase) => Promise<void>): Promise<void> {
  const db = await adminPool.connect();
  const until = Date.now() + milliseconds;
  let isBroken = false;
  try {
    for (;;) {
      try {
        await db.query("begin; set local lock_timeout = '300ms'");
        const tables = await ownTables(db);
        if (tables.length > 0) await db.query(`lock table ${tables.join(", ")} in share row exclusive mode`);
        await work(db);
        await db.query("commit");
        return;
      } catch (error) {
        await db.query("rollback").catch(() => {
          isBroken = true;
        });
        const { code } = error as { code?: string };
        if (code !== LOCK_TIMEOUT && code !== DEADLOCK) throw error;
        if (Date.now() >= until)
          throw new Error(`The database can't be emptied: after ${milliseconds} ms ${await openTransactions(db)}`);
      }
    }
  } finally {
    db.release(isBroken);
  }
}

async function openTransactions(db: pg.ClientBase): Promise<string> {
  const { rows } = await db.query<{ state: string; query: string }>(
    `select state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by xact_start`,
  );
  const each = rows.map(({ state, query }) => `${state}: ${query.replace(/\s+/g, " ").slice(0, 200)}`);
  return ["these transactions are still open:", ...each].join("\n  ");
}
