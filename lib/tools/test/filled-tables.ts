import pg from "pg";

/** The tables of ours that hold rows, by name and quoted where SQL needs it. */
export async function filledTables(db: pg.Pool): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1`,
  );
  if (tables.length === 0) return [];
  const { rows: filled } = await db.query<{ name: string }>(
    tables
      .map(({ name }) => `select ${pg.escapeLiteral(name)} as name where exists (select from ${name})`)
      .join(" union all "),
  );
  return filled.map(({ name }) => name);
}
