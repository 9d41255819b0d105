// @ts-check
// The database of this installation, ready to use: the operator's own when DATABASE_URL is set, else the embedded one.
import { ensureDatabase, joinCluster } from "./postgres.mjs";
import { migrate } from "./prepare.mjs";

/**
 * @param {{ DATA_DIR: string, DATABASE_URL?: string | undefined }} settings
 * @returns {Promise<{ url: string, release: () => Promise<void> }>} release when done with it
 */
export async function openDatabase({ DATA_DIR, DATABASE_URL }) {
  if (DATABASE_URL) {
    await migrate(DATABASE_URL);
    return { url: DATABASE_URL, release: async () => {} };
  }
  const cluster = await joinCluster(DATA_DIR);
  try {
    await ensureDatabase(DATA_DIR, cluster, "candor", migrate);
    await migrate(cluster.url("candor"));
    return { url: cluster.url("candor"), release: cluster.release };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}
