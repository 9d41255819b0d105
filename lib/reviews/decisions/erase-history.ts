import type { Db } from "@/lib/platform/db/pool";
import { itemReferenceSql, itemSaltSql } from "@/lib/reviews/decisions/item-reference";

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
    // Each item's rows by the index, one item after another: without statistics, the planner takes every row of the
    // store for the few of the items and compares each with each.
    `with items as materialized (
       select g.id, ${itemReferenceSql(itemSaltSql("$1", "$2", "g.id"))} as reference
         from unnest($3::text[]) as g(id)),
     found as materialized (
       select e.id, i.reference from items i cross join lateral (
         select id from moderation_events where client_id = $1 and kind = $2 and subject_id = i.id offset 0) e)
     update moderation_events e
        set texts = null, reason = case when reason ~ '^[a-z_]{1,40}$' then reason end,
            actor_id = case when actor_kind <> 'author' then actor_id end,
            subject_id = found.reference, salt = null
       from found where e.id = found.id`,
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
