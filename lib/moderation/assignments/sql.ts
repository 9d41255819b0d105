import { displayNameSql } from "@/lib/accounts/colleagues";
import type { Colleague } from "@/lib/accounts/schema";
import type { Db } from "@/lib/platform/db/pool";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/** The person an item is assigned to, or null. */
export async function selectAssignee(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  id: string,
): Promise<Colleague | null> {
  const { rows } = await db.query<Colleague>(
    `select u.id, ${displayNameSql("u")} as name from item_assignments a join users u on u.id = a.user_id
      where a.client_id = $1 and a.kind = $2 and a.subject_id = $3`,
    [clientId, kind, id],
  );
  return rows[0] ?? null;
}

export async function upsertAssignment(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  id: string,
  userId: string,
): Promise<void> {
  await db.query(
    `insert into item_assignments (client_id, kind, subject_id, user_id) values ($1, $2, $3, $4)
     on conflict (client_id, kind, subject_id) do update set user_id = excluded.user_id, assigned_at = now()`,
    [clientId, kind, id, userId],
  );
}

export async function deleteAssignment(db: Db, clientId: string, kind: DecidedKind, id: string): Promise<void> {
  await db.query("delete from item_assignments where client_id = $1 and kind = $2 and subject_id = $3", [
    clientId,
    kind,
    id,
  ]);
}
