import type pg from "pg";
import type { Migration } from "@/lib/tools/launch/migrate.mjs";

/** Applies migrations to an empty database as Prisma does, without the seconds that its program takes. */
export async function applyMigrations(db: pg.Client, migrations: Migration[]): Promise<void> {
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
