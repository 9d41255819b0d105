import type { StoreAction } from "@/lib/honesty/history-row";
import type { Db } from "@/lib/platform/db/pool";

/**
 * Records a fact about a whole store for its log, in the caller's transaction. `facts` are the entry's fields beside
 * `type` and `at`: they become public, so they must not have texts, names or ids.
 */
export async function recordFact(
  db: Db,
  clientId: string,
  action: StoreAction,
  facts: Record<string, unknown>,
): Promise<void> {
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, salt, facts)
     values ($1, 'store', $1, 'system', $2, null, $3)`,
    [clientId, action, JSON.stringify(facts)],
  );
}
