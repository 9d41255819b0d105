import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";

/** The migrations that installations had applied before the baseline, verbatim. */
export const oldMigrations: { name: string; sql: string; checksum: string }[] = readFileSync(
  path.join(import.meta.dirname, "before-baseline.sql"),
  "utf8",
)
  .split(/^-- >>> (.*)\n/m)
  .slice(1)
  .flatMap((name, index, all) => (index % 2 === 0 ? [{ name, sql: all[index + 1] ?? "" }] : []))
  .map(({ name, sql }) => ({ name, sql, checksum: createHash("sha256").update(sql).digest("hex") }));

/** Migrates an empty database to a release before the baseline: the last one, or one with fewer migrations. */
export async function applyOldMigrations(db: pg.Client, migrations = oldMigrations): Promise<void> {
  await db.query(
    `create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
       migration_name varchar(255) not null, logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(),
       applied_steps_count integer not null default 0)`,
  );
  for (const { name, sql, checksum } of migrations) {
    await db.query(sql);
    await db.query("insert into _prisma_migrations select gen_random_uuid(), $1, now(), $2, null, null, now(), 1", [
      checksum,
      name,
    ]);
  }
}
