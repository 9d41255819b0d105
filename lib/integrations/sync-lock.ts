import type { KindName } from "@/lib/integrations/kinds";
import { pool } from "@/lib/platform/db/pool";

/**
 * Runs `work` exclusively per client and kind, across processes. Null if the lock is held elsewhere. The lock ends with
 * the process.
 */
export async function withSyncLock<T>(kind: KindName, clientId: string, work: () => Promise<T>): Promise<T | null> {
  const db = await pool().connect();
  const names = [`candor.${kind}`, clientId];
  try {
    const lock = "select pg_try_advisory_lock(hashtext($1), hashtext($2)) as got";
    const { rows } = await db.query<{ got: boolean }>(lock, names);
    if (!rows[0]?.got) return null;
    try {
      return await work();
    } finally {
      await db.query("select pg_advisory_unlock(hashtext($1), hashtext($2))", names);
    }
  } finally {
    db.release();
  }
}
