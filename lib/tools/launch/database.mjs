// @ts-check
// Opens this installation's database: the operator's if DATABASE_URL is set, else the embedded one.
import { existsSync } from "node:fs";
import path from "node:path";
import { readOrCreateSecrets } from "../../platform/env.ts";
import { LaunchError } from "./bootstrap.mjs";
import { migrate, postgresVersion } from "./migrate.mjs";
import { ensureDatabase, joinCluster } from "./postgres.mjs";

/**
 * @param {{ DATA_DIR: string, DATABASE_URL?: string | undefined, CANDOR_SECRET?: string | undefined }} settings
 * @returns {Promise<{ url: string, version: string, release: () => Promise<void> }>} PostgreSQL's version; call release when done
 */
export async function openDatabase({ DATA_DIR, DATABASE_URL, CANDOR_SECRET }) {
  if (DATABASE_URL) {
    await migrate(DATABASE_URL);
    return { url: DATABASE_URL, version: await postgresVersion(DATABASE_URL), release: async () => {} };
  }
  if (!CANDOR_SECRET) ensureSecret(DATA_DIR);
  const cluster = await joinCluster(DATA_DIR);
  try {
    await ensureDatabase(DATA_DIR, cluster, "candor", migrate);
    const url = cluster.url("candor");
    await migrate(url);
    return { url, version: await postgresVersion(url), release: cluster.release };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

/** The secret is created before the database: a database without one was restored without it. @param {string} folder */
function ensureSecret(folder) {
  const file = path.join(folder, "secret");
  if (existsSync(path.join(folder, "postgres/PG_VERSION")) && !existsSync(file))
    throw new LaunchError(
      `${file} is missing, but the database in ${folder} needs it. Restore the file from a backup, or set CANDOR_SECRET.`,
    );
  readOrCreateSecrets(folder);
}
