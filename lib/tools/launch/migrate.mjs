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
 * @param {(title: string, work: () => Promise<unknown>) => Promise<unknown>} [told] how the step is told
 */
export async function migrate(url, told = step) {
  await postgresVersion(url);
  if (await isMigrated(url)) return;
  await told("Migrating the database", async () => {
    const output = await run(
      process.execPath,
      [prismaCli, "migrate", "deploy", "--config", "prisma/prisma.config.ts"],
      {
        env: { ...childEnvironment(), DATABASE_URL: url },
      },
    );
    // The CLI has been seen to end well though its engine had done nothing.
    if (!(await isMigrated(url)))
      throw new LaunchError(`${output.trim()}\n\nprisma migrate deploy left migrations undone.`);
  });
}

/** The oldest PostgreSQL that Candor works on; `npm test` runs part of the database tests there. */
const OLDEST_POSTGRES = 15;

/**
 * The version of the server, as "18.4". One that is too old is refused.
 * @param {string} url
 */
export async function postgresVersion(url) {
  const version = await serverVersion(url).catch((error) => {
    if (error.code !== "3D000") throw unreachable(error);
    // No database of that name yet: Prisma makes it. Whoever may do that may ask here.
    const maintenance = new URL(url);
    maintenance.pathname = "/postgres";
    return serverVersion(maintenance.href).catch((cause) => {
      throw unreachable(cause);
    });
  });
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    throw new LaunchError(`PostgreSQL ${version} is too old: Candor needs version ${OLDEST_POSTGRES} or newer.`);
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
function unreachable(cause) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (cause);
  return new LaunchError(`The database cannot be reached (${message || code}).`, { cause });
}

/** The migrations of this release: name and Prisma's checksum. @returns {{ name: string, checksum: string }[]} */
function migrations() {
  const folder = path.join(root, "prisma/migrations");
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, "migration.sql")))
    .sort()
    .map((name) => ({
      name,
      checksum: createHash("sha256")
        .update(readFileSync(path.join(folder, name, "migration.sql")))
        .digest("hex"),
    }));
}

/** One word for the schema of this release; changes with every migration. */
export function schemaVersion() {
  return createHash("sha256").update(JSON.stringify(migrations())).digest("hex").slice(0, 12);
}

/** @param {string} url */
async function isMigrated(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      "select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null",
    );
    const ours = new Set(migrations().map(({ name }) => name));
    const unknown = rows.find((row) => !ours.has(row.migration_name));
    if (unknown)
      throw new LaunchError(
        `A newer version of Candor has migrated this database (${unknown.migration_name}): run that version, or restore a backup from before the upgrade.`,
      );
    const applied = new Map(rows.filter((row) => row.finished_at).map((row) => [row.migration_name, row.checksum]));
    const changed = migrations().find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
    if (changed)
      throw new LaunchError(
        `The migration ${changed.name} was changed after this database had applied it. Migrations are only ever added.`,
      );
    return migrations().every(({ name }) => applied.has(name));
  } catch (error) {
    if (error instanceof LaunchError) throw error;
    const { code } = /** @type {{ code?: string }} */ (error);
    if (code === "42P01" || code === "3D000") return false; // no migration yet, or no database: Prisma makes both
    throw unreachable(error);
  } finally {
    await client.end().catch(() => {}); // it may never have been open
  }
}
