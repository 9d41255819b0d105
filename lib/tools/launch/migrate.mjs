// @ts-check
// Migrates a database to the schema of this release, with Prisma's own migrations.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { childEnvironment, LaunchError, root, run, step } from "./bootstrap.mjs";

const prismaCli = path.join(root, "node_modules/prisma/build/index.js");

/**
 * Migrates any PostgreSQL database to the current schema.
 * @param {string} url
 * @param {(title: string, work: () => Promise<unknown>) => Promise<unknown>} [runStep] runs the work and reports its progress
 */
export async function migrate(url, runStep = step) {
  await postgresVersion(url);
  const state = await schemaState(url);
  if (state === "present") return;
  await runStep("Migrating the database", async () => {
    if (state === "before_baseline" && (await markBaselineApplied(url)) === "present") return;
    const output = await run(
      process.execPath,
      [prismaCli, "migrate", "deploy", "--config", "prisma/prisma.config.ts"],
      {
        env: { ...childEnvironment(), DATABASE_URL: url },
      },
    );
    // The CLI sometimes succeeds although its engine has done nothing.
    if ((await schemaState(url)) !== "present")
      throw new LaunchError(`${output.trim()}\n\nprisma migrate deploy didn't apply all migrations.`);
  });
}

/** The oldest supported PostgreSQL; `npm test` runs part of the database tests on it. */
const MIN_POSTGRES_VERSION = 15;

/**
 * Returns the server's version, such as "18.4". Throws if it is too old.
 * @param {string} url
 */
export async function postgresVersion(url) {
  const version = await serverVersion(url).catch((error) => {
    if (error.code !== "3D000") throw connectionError(error);
    // The database doesn't exist yet: Prisma creates it. A role that may do that can connect here.
    const maintenance = new URL(url);
    maintenance.pathname = "/postgres";
    return serverVersion(maintenance.href).catch((cause) => {
      throw connectionError(cause);
    });
  });
  if (Number.parseInt(version, 10) < MIN_POSTGRES_VERSION)
    throw new LaunchError(`PostgreSQL ${version} is too old: Candor needs version ${MIN_POSTGRES_VERSION} or newer.`);
  return version;
}

/** @param {string} url @returns {Promise<string>} */
async function serverVersion(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query("show server_version");
    return rows[0].server_version.split(" ")[0];
  } finally {
    await client.end().catch(() => {}); // it may never have connected
  }
}

/** @param {unknown} cause */
function connectionError(cause) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (cause);
  return new LaunchError(`Can't connect to the database (${message || code}).`, { cause });
}

/** @typedef {{ name: string, checksum: string, sql: string }} Migration with Prisma's checksum */

/** The migrations of this release: the baseline, then the others in order. @returns {Migration[]} */
export function migrations() {
  const folder = path.join(root, "prisma/migrations");
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, "migration.sql")))
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
      return { name, checksum: createHash("sha256").update(sql).digest("hex"), sql };
    });
}

/** The baseline. A database with all migrations before it has the same schema. @returns {Migration} */
export const baseline = () => /** @type {Migration} */ (migrations()[0]);

/** The migrations that the baseline replaces. @returns {{ name: string, checksum: string }[]} */
export function migrationsBeforeBaseline() {
  return readFileSync(path.join(root, "prisma/before-baseline.sha256"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => ({ name: line.split("/")[1] ?? "", checksum: line.slice(0, 64) }));
}

/** Identifies the schema of this release; changes with every migration. */
export function schemaVersion() {
  const made = migrations().map(({ name, checksum }) => ({ name, checksum }));
  return createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, 12);
}

/** @typedef {{ name: string, checksum: string, finished: boolean }} Row of Prisma's table of migrations */

/** @param {pg.Client} client @returns {Promise<Row[]>} */
async function readAppliedMigrations(client) {
  const { rows } = await client.query(
    `select migration_name as name, checksum, finished_at is not null as finished
       from _prisma_migrations where rolled_back_at is null order by migration_name`,
  );
  return rows;
}

/**
 * The migration state of a database. Throws if this release can't migrate it.
 * @param {string} url @returns {Promise<"present" | "behind" | "before_baseline">}
 */
async function schemaState(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return stateOfMigrations(await readAppliedMigrations(client));
  } catch (error) {
    if (error instanceof LaunchError) throw error;
    const { code } = /** @type {{ code?: string }} */ (error);
    if (code === "42P01" || code === "3D000") return "behind"; // no migrations yet, or no database: Prisma creates both
    throw connectionError(error);
  } finally {
    await client.end().catch(() => {}); // it may never have connected
  }
}

/** @param {Row[]} rows */
function stateOfMigrations(rows) {
  const ours = migrations();
  const before = migrationsBeforeBaseline();
  const known = new Map([...before, ...ours].map(({ name, checksum }) => [name, checksum]));
  const unknown = rows.find(({ name }) => !known.has(name));
  if (unknown)
    throw new LaunchError(
      `This database was migrated by a newer version of Candor (${unknown.name}). Run that version, or restore a backup from before the upgrade.`,
    );
  const changed = rows.find(({ name, checksum, finished }) => finished && checksum !== known.get(name));
  if (changed)
    throw new LaunchError(
      `The migration ${changed.name} was changed after it was applied to this database. Add a new migration instead.`,
    );
  const applied = new Set(rows.filter(({ finished }) => finished).map(({ name }) => name));
  if (ours.every(({ name }) => applied.has(name))) return "present";
  if (applied.has(ours[0]?.name ?? "") || !rows.some(({ name }) => before.some((each) => each.name === name)))
    return "behind";
  if (before.every(({ name }) => applied.has(name))) return "before_baseline";
  throw new LaunchError(
    `This database was created by an early version of Candor (last migration: ${[...applied].at(-1)}). Start the last 0.1 version with it once, then this one. Or export your data there and import it into a new installation.`,
  );
}

/**
 * Records the baseline as applied, in place of the migrations it replaces, as `prisma migrate resolve --applied` would.
 * Returns the new state of the database.
 * @param {string} url
 */
async function markBaselineApplied(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(72707369)"); // the lock of Prisma's engine during migrations
    if (stateOfMigrations(await readAppliedMigrations(client)) === "before_baseline") {
      const { name, checksum } = baseline();
      await client.query("delete from _prisma_migrations");
      await client.query(
        `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         values (gen_random_uuid(), $1, $2, now(), now(), 0)`,
        [checksum, name],
      );
    }
    await client.query("commit");
    return stateOfMigrations(await readAppliedMigrations(client));
  } finally {
    await client.end();
  }
}
