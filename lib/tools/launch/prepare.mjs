// @ts-check
// The steps between a clone and a program that can run. Each is skipped when its result is there and still right, and
// says so in one line while it works.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { childEnvironment, folderLock, LaunchError, root, run, say, step } from "./bootstrap.mjs";
import { withLock } from "./lock.mjs";
import { hashOf, isStamped, stamp } from "./stamp.mjs";

const prismaCli = path.join(root, "node_modules/prisma/build/index.js");
const nextCli = path.join(root, "node_modules/next/dist/bin/next");

/**
 * Does a step of this folder unless its stamp says that it was done with the same inputs; one process at a time.
 * @param {{ title: string, mark: string, inputs: string[], wanted?: (file: string) => boolean, made?: string, work: () => Promise<unknown> }} job
 */
async function once({ title, mark, inputs, wanted, made = mark, work }) {
  const done = () => {
    const hash = hashOf(root, inputs, wanted);
    return { hash, fresh: isStamped(path.join(root, mark), hash) && existsSync(path.join(root, made)) };
  };
  if (done().fresh) return;
  await withLock(
    folderLock,
    async () => {
      const { hash, fresh } = done();
      if (fresh) return;
      await step(title, work);
      stamp(path.join(root, mark), hash);
    },
    (pid) => say(`Waiting for process ${pid}, which is setting up this folder …`),
  );
}

/** Whether a file may be part of what runs: no test, nothing of the launcher's, nothing made of other files. @param {string} file */
const isShipped = (file) => !/\.test\.tsx?$|^lib[\\/]tools[\\/](launch|test|bench)[\\/]|[\\/]generated[\\/]/.test(file);

/** The Prisma client, from the schema. */
async function generateClient() {
  await once({
    title: "Generating the database client",
    mark: "lib/platform/db/generated/.schema",
    made: "lib/platform/db/generated/client.ts",
    inputs: ["prisma/schema.prisma", "prisma/prisma.config.ts", "node_modules/prisma/package.json"],
    work: () =>
      run(process.execPath, [prismaCli, "generate", "--config", "prisma/prisma.config.ts"], {
        env: childEnvironment(),
      }),
  });
}

/** The script that shops' pages load, and what belongs to it. */
async function buildWidget() {
  await once({
    title: "Building the widget",
    mark: "lib/display/widget/generated/.sources",
    made: "lib/display/widget/generated/assets.ts",
    inputs: ["lib/display/widget", "lib/platform/i18n/languages.ts", "node_modules/esbuild/package.json"],
    wanted: isShipped,
    work: () => run(process.execPath, ["lib/display/widget/build.mjs"], { env: childEnvironment() }),
  });
}

/** What the program is made of besides what is written: without it nothing runs. */
export async function generateCode() {
  await generateClient();
  await buildWidget();
}

/** The types of the API client, from the contracts. Types alone: what runs does without them. */
export async function generateApiTypes() {
  const made = "lib/tools/api-client/generated/api.ts";
  await once({
    title: "Generating the types of the API client",
    mark: "lib/tools/api-client/generated/.contracts",
    made,
    inputs: ["app/_api-types.ts", "app/_contracts.ts", "app/_description.ts", "lib", "package-lock.json"],
    wanted: isShipped,
    work: () => run(process.execPath, ["--import", "tsx", "app/_api-types.ts", made], { env: childEnvironment() }),
  });
}

/** What the type checker needs to know of the routes (next-env.d.ts and .next/types). */
export async function generateRouteTypes() {
  await once({
    title: "Generating the types of the routes",
    mark: ".launch/route-types",
    made: "next-env.d.ts",
    inputs: ["app", "next.config.mjs", "node_modules/next/package.json"],
    work: async () => {
      // What an earlier build or development server said of routes that may be gone.
      for (const stale of [".next/types", ".next/dev/types"])
        rmSync(path.join(root, stale), { recursive: true, force: true });
      await run(process.execPath, [nextCli, "typegen"], { env: childEnvironment() });
    },
  });
}

/** The pages for production. */
export async function buildPages() {
  await once({
    title: "Building the pages (next build)",
    mark: ".next/candor-sources",
    made: ".next/BUILD_ID",
    inputs: [
      ".config/icon-loader.cjs",
      ".config/next-constants-loader.cjs",
      ".config/no-process.cjs",
      "app",
      "components",
      "inngest",
      "lib",
      "prisma",
      "public",
      "next.config.mjs",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
    ],
    wanted: isShipped,
    work: () => run(process.execPath, [nextCli, "build"], { env: { ...childEnvironment(), NODE_ENV: "production" } }),
  });
}

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
