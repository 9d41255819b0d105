// @ts-check
// The database of this installation, ready to use: the operator's own when DATABASE_URL is set, else the embedded one.
import { ensureDatabase, joinCluster } from "./postgres.mjs";
import { migrate, postgresVersion } from "./prepare.mjs";

/**
 * @param {{ DATA_DIR: string, DATABASE_URL?: string | undefined }} settings
 * @returns {Promise<{ url: string, version: string, release: () => Promise<void> }>} PostgreSQL's version; release when done with it
 */
export async function openDatabase({ DATA_DIR, DATABASE_URL }) {
  if (DATABASE_URL) {
    await migrate(DATABASE_URL);
    return { url: DATABASE_URL, version: await postgresVersion(DATABASE_URL), release: async () => {} };
  }
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
