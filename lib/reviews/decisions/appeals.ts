import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { isAppealedRejectionSql, isUndoSql } from "@/lib/reviews/decisions/rejection-rows";
import type { DecidedKind, ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

// An author's appeal of a rejection is a row of the item's history, with the author's text among its texts. It counts
// until the author edits the item, which then is decided as a new one. Its outcome is the first decision about the pending
// item that isn't undone: what is decided later, also on an item that was made pending again, is a new decision.

// The conditions are aggregates of the item's own rows: PostgreSQL may turn an `exists` into a join that reads the store's
// whole history.

/** SQL condition: an author's appeal counts for the item. Expressions of its client, kind and id. */
export const isAppealedSql = (clientId: string, kind: string, id: string): string =>
  isLastSql(clientId, kind, id, "o.action = 'edited' and o.actor_kind = 'author'");

/**
 * SQL condition: an appeal counts for the item, and has no outcome yet; of the history before the entry with this number, if
 * given. Expressions as above.
 */
export const isAppealOpenSql = (clientId: string, kind: string, id: string, before = "null::bigint"): string =>
  `(${isAppealedSql(clientId, kind, id)} and ${isLastSql(
    clientId,
    kind,
    id,
    `o.to_state in ('accepted', 'rejected') and o.from_state = 'pending' and (${before} is null or o.id < ${before}) and ${isKept}`,
  )})`;

/** SQL condition: the author appealed the item, and it wasn't published since, or that was undone. Expressions as above. */
export const hasAppealedSql = (clientId: string, kind: string, id: string): string =>
  isLastSql(clientId, kind, id, `o.to_state = 'accepted' and o.from_state is distinct from 'accepted' and ${isKept}`);

/** SQL condition: no row undoes the decision `o`. */
const isKept = `(select count(*) = 0 from moderation_events u where ${isUndoSql("u", "o")})`;

/** SQL condition: the item has an appeal, and no later row `o` of its history fulfills a condition. */
const isLastSql = (clientId: string, kind: string, id: string, others: string): string =>
  `(select count(*) > 0 from moderation_events a
     where a.client_id = ${clientId} and a.kind = ${kind} and a.subject_id = ${id} and a.action = 'appealed'
       and (select count(*) = 0 from moderation_events o
             where o.client_id = ${clientId} and o.kind = ${kind} and o.subject_id = ${id} and o.id > a.id and ${others}))`;

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

/**
 * An appeal that counts. `isOwn`: the person decided the rejection, and another may decide there. `isOpen`: a decision about
 * the pending item is its outcome.
 */
export type CountedAppeal = { isOwn: boolean; isOpen: boolean };

/**
 * The appeals that count for these items, by their ids. Who rejected an item, or changed the reason, may not decide the
 * appeal, nor later decide differently, as long as another person moderates at the store. `userId`: who decides; null for
 * programs.
 */
export async function selectAppeals(
  db: Db,
  clientId: string,
  kind: DecidedKind,
  ids: readonly string[],
  userId: string | null,
): Promise<Map<string, CountedAppeal>> {
  if (ids.length === 0) return new Map();
  const ofItem = (row: string) => `${row}.client_id = $1 and ${row}.kind = $2 and ${row}.subject_id = i.id`;
  const { rows } = await db.query<{ id: string; is_own: boolean; is_open: boolean }>({
    name: "appeals-of-items",
    text: `select i.id, coalesce($4 = any(d.people), false) and exists (
                    select from users u join clients c on c.id = $1
                     where u.id <> all(d.people) and may_moderate(u.id, c.id)
                       and case when c.own_moderation then u.role <> 'operator' or u.account_id = c.account_id
                                else u.role = 'operator' end) as is_own,
                  ${isAppealOpenSql("$1", "$2", "i.id")} as is_open
             from unnest($3::text[]) i(id)
            cross join lateral (select max(a.id) as id from moderation_events a where ${ofItem("a")} and a.action = 'appealed') p
            cross join lateral (
               select array_agg(r.actor_id) as people from moderation_events r
                where ${ofItem("r")} and r.actor_kind = 'user' and ${isAppealedRejectionSql("$1", "$2", "i.id", "p.id")}) d
            where ${isAppealedSql("$1", "$2", "i.id")}`,
    values: [clientId, kind, ids, userId],
  });
  return new Map(rows.map(({ id, is_own, is_open }) => [id, { isOwn: is_own, isOpen: is_open }]));
}
