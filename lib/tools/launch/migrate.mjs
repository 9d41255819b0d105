// @ts-check
// Brings a database to the schema of this release, with Prisma's own migrations.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { childEnvironment, LaunchError, root, run, step } from "./bootstrap.mjs";

const prismaCli = path.join(root, "node_modules/prisma/build/index.js");

/**
 * Brings a database to the present schema. The database may be any PostgreSQL.
 * @param {string} url
 * @param {(title: string, work: () => Promise<unknown>) => Promise<unknown>} [runStep] how the step is told
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
    // The CLI has been seen to end well though its engine had done nothing.
    if ((await schemaState(url)) !== "present")
      throw new LaunchError(`${output.trim()}\n\nprisma migrate deploy didn't apply all migrations.`);
  });
}

/** The oldest PostgreSQL that Candor works on; `npm test` runs part of the database tests there. */
const MIN_POSTGRES_VERSION = 15;

/**
 * The version of the server, as "18.4". One that is too old is refused.
 * @param {string} url
 */
export async function postgresVersion(url) {
  const version = await serverVersion(url).catch((error) => {
    if (error.code !== "3D000") throw connectionError(error);
    // No database of that name yet: Prisma makes it. Whoever may do that may ask here.
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
    await client.end().catch(() => {}); // it may never have been open
  }
}

/** @param {unknown} cause */
function connectionError(cause) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (cause);
  return new LaunchError(`Can't connect to the database (${message || code}).`, { cause });
}

/** @typedef {{ name: string, checksum: string, sql: string }} Migration with Prisma's checksum */

/** The migrations of this release: the baseline, then the others in their order. @returns {Migration[]} */
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

/** The baseline. Whatever has applied all that was before it has the same schema. @returns {Migration} */
export const baseline = () => /** @type {Migration} */ (migrations()[0]);

/** The migrations that the baseline took the place of. @returns {{ name: string, checksum: string }[]} */
export function migrationsBeforeBaseline() {
  return readFileSync(path.join(root, "prisma/before-baseline.sha256"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => ({ name: line.split("/")[1] ?? "", checksum: line.slice(0, 64) }));
}

/** One word for the schema of this release; changes with every migration. */
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
 * How far a database is. Throws for one that this release cannot bring to its schema.
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
    if (code === "42P01" || code === "3D000") return "behind"; // no migration yet, or no database: Prisma makes both
    throw connectionError(error);
  } finally {
    await client.end().catch(() => {}); // it may never have been open
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
 * Notes the baseline as applied, in place of what it took the place of, as `prisma migrate resolve --applied` would.
 * Answers how far the database is then.
 * @param {string} url
 */
async function markBaselineApplied(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(72707369)"); // the one that Prisma's engine holds while it migrates
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
