import type { PoolClient } from "pg";
import { displayNameSql } from "@/lib/accounts/colleagues";
import type { Colleague } from "@/lib/accounts/schema";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/**
 * Assigns items again whose decision was undone: to the person who had them before it, unless that person may no longer
 * decide there.
 */
export async function restoreAssignments(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  // Locks the people before checking them, so that they can't lose access until the transaction ends.
  const { rows } = await db.query<{ id: string; user_id: string }>(
    `select undone.id, u.id as user_id
       from unnest($3::text[]) undone(id)
      cross join lateral (
        select e.assignee_id from moderation_events e
         where e.client_id = $1 and e.kind = $2 and e.subject_id = undone.id and e.action = 'decided' and e.from_state = 'pending'
         order by e.id desc limit 1) decision
       join users u on u.id = decision.assignee_id
      order by u.id for share of u`,
    [clientId, kind, ids],
  );
  if (rows.length === 0) return;
  await db.query(
    `insert into item_assignments (client_id, kind, subject_id, user_id)
     select $1, $2, r.id, r.user_id from jsonb_to_recordset($3::jsonb) as r(id text, user_id text)
      where may_moderate(r.user_id, $1)`,
    [clientId, kind, JSON.stringify(rows)],
  );
}

/** To whom items are assigned, by the items' ids; items that aren't assigned are left out. */
export async function selectAssignees(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  ids: readonly string[],
): Promise<Map<string, Colleague>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<Colleague & { subject_id: string }>(
    `select a.subject_id, u.id, ${displayNameSql("u")} as name from item_assignments a join users u on u.id = a.user_id
      where a.client_id = $1 and a.kind = $2 and a.subject_id = any($3)`,
    [clientId, kind, ids],
  );
  return new Map(rows.map(({ subject_id, id, name }) => [subject_id, { id, name }]));
}
