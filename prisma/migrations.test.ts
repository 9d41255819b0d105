import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { migrationsBeforeBaseline } from "@/lib/tools/launch/migrate.mjs";
import { oldMigrations } from "@/lib/tools/test/before-baseline";

// migrations.sha256 lists every migration that installations have applied, in order:
//   cd prisma && sha256sum --check migrations.sha256
// before-baseline.sha256 lists those that the baseline replaces.

const checksumOf = (file: string) =>
  createHash("sha256")
    .update(readFileSync(path.join(import.meta.dirname, file)))
    .digest("hex");
const lockedMigrations = readFileSync(path.join(import.meta.dirname, "migrations.sha256"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => /^([0-9a-f]{64}) {2}(migrations\/\w+\/migration\.sql)$/.exec(line)?.slice(1) ?? [line, ""]);
const files = readdirSync(path.join(import.meta.dirname, "migrations"))
  .sort()
  .map((name) => `migrations/${name}/migration.sql`)
  .filter((file) => existsSync(path.join(import.meta.dirname, file)));

test("no locked migration was changed or deleted", () => {
  const changed = lockedMigrations.filter(
    ([checksum, file = ""]) => !files.includes(file) || checksumOf(file) !== checksum,
  );
  expect(changed, "restore these from git, and put the change into a migration of its own").toEqual([]);
});

test("every migration is locked", () => {
  const unlocked = files.filter((file) => !lockedMigrations.some(([, name]) => name === file));
  expect(
    unlocked.map((file) => `${checksumOf(file)}  ${file}`),
    "add these lines at the end of prisma/migrations.sha256",
  ).toEqual([]);
});

test("a new migration comes last: new databases apply them in the same order as existing ones", () => {
  const names = lockedMigrations.map(([, file = ""]) => file);
  const outOfOrder = names.filter((name, index) => names.slice(0, index).some((before) => before > name));
  expect(outOfOrder, `rename these: a later timestamp than ${files.at(-1)}`).toEqual([]);
});

test("the old migrations that tests apply are those before the baseline", () => {
  expect(oldMigrations.map(({ name, checksum }) => ({ name, checksum }))).toEqual(migrationsBeforeBaseline());
});
