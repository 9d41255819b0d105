import type { Db } from "@/lib/platform/db/pool";

/**
 * Clears texts from the history of deleted items, in the caller's transaction; the rule or person that acted, the time,
 * the transition and the reason code remain. `kind` is the history's: `review`, `seller_review`, `question`, `answer`.
 */
export async function eraseHistory(db: Db, clientId: string, kind: string, ids: string[]): Promise<void> {
  await db.query("select set_config('candor.erasing', 'on', true)");
  await db.query(
    `update moderation_events set texts = null, reason = case when reason ~ '^[a-z_]{1,40}$' then reason end,
            actor_id = case when actor_kind <> 'author' then actor_id end
      where client_id = $1 and kind = $2 and subject_id = any($3)`,
    [clientId, kind, ids],
  );
  await db.query("select set_config('candor.erasing', '', true)");
}
