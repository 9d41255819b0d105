import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import type { DecidedKind, ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

// An author's appeal of a rejection is a row of the item's history, with the author's text among its texts. It counts
// until the author edits the item, which then is decided as a new one. Its outcome is the decision about the pending item:
// what is decided later, on an item that is published, say, is a new decision.

// Both conditions are aggregates of the item's own rows: PostgreSQL may turn an `exists` into a join that reads the store's
// whole history.

/** SQL condition: an author's appeal counts for the item. Expressions of its client, kind and id. */
export const isAppealedSql = (clientId: string, kind: string, id: string): string =>
  isLastSql(clientId, kind, id, "a.action = 'edited' and a.actor_kind = 'author'");

/** SQL condition: the author appealed the item's rejection, and it wasn't published since. Expressions as above. */
export const hasAppealedSql = (clientId: string, kind: string, id: string): string =>
  isLastSql(clientId, kind, id, "a.to_state = 'accepted'");

/** SQL condition: the item's last appeal is later than all rows of its history that fulfill a condition. */
const isLastSql = (clientId: string, kind: string, id: string, others: string): string =>
  `(select coalesce(max(a.id) filter (where a.action = 'appealed') > coalesce(max(a.id) filter (where ${others}), 0), false)
      from moderation_events a where a.client_id = ${clientId} and a.kind = ${kind} and a.subject_id = ${id})`;

/**
 * An author appeals the rejection of an item with their normalized address: it becomes pending for a person, not for the
 * rules. Once, and again if it was published and then rejected. `text` is the author's, or empty. Returns false if it isn't
 * rejected, or was appealed before.
 */
export const appealRejection = (
  client: Pick<ClientRow, "id">,
  kind: ModeratedKind,
  id: string,
  email: string,
  text: string,
): Promise<boolean> =>
  transaction(async (db) => {
    const { rowCount } = await db.query(
      `select from ${tables[kind]} where client_id = $1 and id = $2 and email_key = $3 and accepted = false for update`,
      [client.id, id, email],
    );
    if (rowCount === 0) return false;
    const earlier = await db.query(`select where ${hasAppealedSql("$1", "$2", "$3")}`, [client.id, kind, id]);
    if (earlier.rowCount !== 0) return false;
    await db.query(
      `update ${tables[kind]} set accepted = null, accepted_at = null, reject_reason = null, decided_at = null
        where client_id = $1 and id = $2`,
      [client.id, id],
    );
    await db.query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, texts)
       values ($1, $2, $3, 'author', 'appealed', 'rejected', 'pending', $4)`,
      [client.id, kind, id, JSON.stringify({ appeal: text })],
    );
    const data = { client_id: client.id, [`${kind}_id`]: id, from: "rejected", to: "pending", notify: false };
    await enqueue(db, [{ name: `${kind}/decided`, data } as OutboxEvent]);
    return true;
  });

/** Whether an author's appeal counts for the item. */
export async function isAppealed(db: Db, clientId: string, kind: ModeratedKind, id: string): Promise<boolean> {
  const { rows } = await db.query<{ appealed: boolean }>({
    name: "is-appealed",
    text: `select ${isAppealedSql("$1", "$2", "$3")} as appealed`,
    values: [clientId, kind, id],
  });
  return rows[0]?.appealed === true;
}

/**
 * Of items with an appeal that counts, those whose appeal this person may not decide, nor later decide differently: they
 * rejected the item, and another person moderates at the store.
 */
export async function selectOwnRejections(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  ids: readonly string[],
  userId: string,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>({
    name: "own-rejections",
    text: `select i.id from unnest($3::text[]) i(id)
            cross join lateral (
               select r.actor_kind, r.actor_id from moderation_events r
                where r.client_id = $1 and r.kind = $2 and r.subject_id = i.id and r.to_state = 'rejected' and r.id < (
                  select max(a.id) from moderation_events a
                   where a.client_id = $1 and a.kind = $2 and a.subject_id = i.id and a.action = 'appealed')
                order by r.id desc limit 1) r
            where r.actor_kind = 'user' and r.actor_id = $4 and exists (
                    select from users u join clients c on c.id = $1
                     where u.id <> $4 and may_moderate(u.id, c.id)
                       and case when c.own_moderation then u.role <> 'operator' or u.account_id = c.account_id
                                else u.role = 'operator' end)`,
    values: [clientId, kind, ids, userId],
  });
  return new Set(rows.map(({ id }) => id));
}
