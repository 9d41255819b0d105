import { createHash } from "node:crypto";
import pg from "pg";

type Db = Pick<pg.Pool, "query">;

/** The application's tables, by name, quoted if SQL requires it. */
export async function ownTables(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Those that have rows. */
export async function nonEmptyTables(db: Db): Promise<string[]> {
  const tables = await ownTables(db);
  if (tables.length === 0) return [];
  const text = tables
    .map((name) => `select ${pg.escapeLiteral(name)} as name where exists (select from ${name})`)
    .join(" union all ");
  // Prepared: planning this takes much longer than running it, and most tests begin with it.
  const name = `filled-${createHash("sha256").update(text).digest("base64url")}`;
  const { rows: filled } = await db.query<{ name: string }>({ name, text });
  return filled.map(({ name }) => name);
}
