import type { KindName } from "@/lib/integrations/kinds";
import { pool } from "@/lib/platform/db/pool";
import type { EncodedNotices } from "@/lib/platform/notices";

/** What a part of a run left to do: seconds to wait before the next part, or null where the run is over. */
export type SyncPart = { nextInSeconds: number | null; error: EncodedNotices | null };

export const SYNC_FINISHED: SyncPart = { nextInSeconds: null, error: null };

/** `asked`: somebody wants it now. `confirmDeletions`: and knows that most of the catalogue may leave. */
export type SyncRequest = { asked?: boolean; confirmDeletions?: boolean };

/** One at a time for a client, in whatever process: null where somebody else is at work. The lock ends with the process. */
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
