import type { Db } from "@/lib/platform/db/pool";
import { itemReferenceSql } from "@/lib/reviews/decisions/item-reference";

/**
 * Clears texts from the history of deleted items, in the caller's transaction; the rule or person that acted, the time,
 * the transition and the reason code remain. Their ids are replaced by their references in the log, whose salts are
 * deleted: the log still tells what was decided, but not about which text. `kind` is the history's: `review`,
 * `seller_review`, `question`, `answer`, `photo`.
 */
export async function eraseHistory(db: Db, clientId: string, kind: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query("select set_config('candor.erasing', 'on', true)");
  await db.query(
    `update moderation_events e
        set texts = null, reason = case when reason ~ '^[a-z_]{1,40}$' then reason end,
            actor_id = case when actor_kind <> 'author' then actor_id end,
            subject_id = f.reference, salt = null
       from (select distinct on (subject_id) subject_id, ${itemReferenceSql("salt")} as reference from moderation_events
              where client_id = $1 and kind = $2 and subject_id = any($3) order by subject_id, id) f
      where e.client_id = $1 and e.kind = $2 and e.subject_id = f.subject_id`,
    [clientId, kind, ids],
  );
  await db.query("select set_config('candor.erasing', '', true)");
}

/** The same for the photos of texts that are deleted. Call it while they are still theirs. */
export async function erasePhotoHistory(db: Db, clientId: string, kind: string, ids: string[]): Promise<void> {
  const { rows } = await db.query<{ token: string }>(
    "select token from uploads where client_id = $1 and subject_kind = $2 and subject_id = any($3)",
    [clientId, kind, ids],
  );
  await eraseHistory(
    db,
    clientId,
    "photo",
    rows.map(({ token }) => token),
  );
}
