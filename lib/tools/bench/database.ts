import path from "node:path";
import pg from "pg";
import { keyIdOf } from "@/lib/platform/env";
import { parentOf } from "@/lib/tools/bench/processes";
import { seed } from "@/lib/tools/bench/seed";
import { root, step } from "@/lib/tools/launch/bootstrap.mjs";
import { migrate, schemaVersion } from "@/lib/tools/launch/migrate.mjs";
import { ensureDatabase, joinCluster } from "@/lib/tools/launch/postgres.mjs";

/** Data folder of the measured cluster. It contains no user data. */
export const dataDir = path.join(root, ".data/bench");
/** Increase it if seed.ts creates different rows. */
const SEED_VERSION = 6;

export type BenchDatabase = {
  url: string;
  /** pid of the postmaster; null if the system doesn't report it (not Linux) */
  postmasterPid: number | null;
  version: string;
  drop: () => Promise<void>;
};

/**
 * A new database with `rows` reviews for this run. It is seeded once per schema and number of rows, then copied, so
 * that every run measures the same rows and its writes are discarded. The server has production settings.
 */
export async function openBenchDatabase(rows: number): Promise<BenchDatabase> {
  const cluster = await joinCluster(dataDir);
  const admin = new pg.Client({ connectionString: cluster.url("postgres") });
  await admin.connect();
  const dropDatabase = (name: string) =>
    admin.query(`drop database if exists ${admin.escapeIdentifier(name)} with (force)`);
  const release = `${SEED_VERSION}_${schemaVersion()}`;
  const seeded = `seeded_${release}_${rows}`;
  const { rows: staleDatabases } = await admin.query<{ name: string }>(
    "select datname as name from pg_database where datname ~ '^(seeded|run)_' and not starts_with(datname, $1)",
    [`seeded_${release}_`],
  );
  for (const { name } of staleDatabases) await dropDatabase(name);
  await ensureDatabase(dataDir, cluster, seeded, (url) =>
    step(`Seeding ${rows} reviews`, async () => {
      await migrate(url, (_, work) => work());
      await seed(url, rows);
    }),
  );
  const name = `run_${process.pid}`;
  await step("Copying the database", () =>
    admin.query(`create database ${name} template ${admin.escapeIdentifier(seeded)} strategy file_copy`),
  );
  const { rows: about } = await admin.query<{ pid: number; version: string }>(
    "select pg_backend_pid() as pid, current_setting('server_version') as version",
  );
  return {
    url: cluster.url(name),
    postmasterPid: parentOf(about[0]?.pid ?? 0),
    version: about[0]?.version ?? "",
    drop: async () => {
      await dropDatabase(name);
      await admin.end();
      await cluster.release();
    },
  };
}

let emptyDatabases = 0;

/** A new database for this run with the schema only. */
export async function openEmptyDatabase(): Promise<{ url: string; version: string; drop: () => Promise<void> }> {
  const cluster = await joinCluster(dataDir);
  const name = `run_empty_${process.pid}_${++emptyDatabases}`;
  await ensureDatabase(dataDir, cluster, name, (url) => migrate(url, (_, work) => work()));
  const admin = new pg.Client({ connectionString: cluster.url("postgres") });
  await admin.connect();
  const { rows } = await admin.query<{ version: string }>("select current_setting('server_version') as version");
  return {
    url: cluster.url(name),
    version: rows[0]?.version ?? "",
    drop: async () => {
      await admin.query(`drop database if exists ${admin.escapeIdentifier(name)} with (force)`);
      await admin.end();
      await cluster.release();
    },
  };
}

/**
 * Stores the id of this secret as the database's. The seeded hashes aren't real ones, so a server couldn't verify its
 * secret by them.
 */
export async function storeSecretId(url: string, secret: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query("insert into lasting_secret (key_id) values ($1)", [keyIdOf(secret)]);
  } finally {
    await db.end();
  }
}
