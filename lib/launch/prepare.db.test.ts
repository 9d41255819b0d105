import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { env } from "@/lib/env";
import { migrate } from "./prepare.mjs";

let db: pg.Client;
beforeEach(async () => {
  db = new pg.Client({ connectionString: env().DATABASE_URL });
  await db.connect();
});
afterEach(async () => {
  await db.query("delete from _prisma_migrations where migration_name ~ '^9999'");
  await db.end();
});

const untold = (_: string, work: () => Promise<unknown>) => work();
const applied = (name: string, finished: boolean) =>
  db.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid(), repeat('0', 64), $1, now(), $2, 1)`,
    [name, finished ? new Date() : null],
  );

test.each([
  ["applied", true],
  ["begun", false],
])("a database on which a newer version has %s a migration is refused in one line", async (_, finished) => {
  await applied("99990101000000_of_a_newer_version", finished);
  const refused = await migrate(env().DATABASE_URL, untold).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/^[^\n]*99990101000000_of_a_newer_version[^\n]*$/);
  expect(refused).toContain("newer version of Candor");
});

test("a database with this version's migrations is taken as it is", async () => {
  await expect(migrate(env().DATABASE_URL, () => Promise.reject(new Error("migrated")))).resolves.toBeUndefined();
});
