// Which rows of an item's history rejected it. Not each with `to_state` rejected did: an edit of a rejected item has that
// state before and after, and so has the confirmation of its author's address.

/** SQL condition: a row of the history rejected an item that wasn't rejected. */
export const isNewRejectionSql = (row: string): string =>
  `(${row}.to_state = 'rejected' and ${row}.from_state is distinct from 'rejected')`;

/** SQL condition: a row of the history rejected an item, or a rejected item for another reason. */
export const isRejectionSql = (row: string): string =>
  `(${row}.to_state = 'rejected' and (${isNewRejectionSql(row)} or ${row}.action = 'decided' or ${row}.action = 'imported' and ${row}.texts is null))`;

/**
 * SQL condition: a row `r` had a part in the rejection that was appealed at the row with the number `appeal`: it rejected the
 * item, or changed the reason since. From expressions of the item's client, kind and id.
 */
export const isAppealedRejectionSql = (clientId: string, kind: string, id: string, appeal: string): string =>
  `(${isRejectionSql("r")} and r.id < ${appeal} and r.id >= (
     select max(n.id) from moderation_events n
      where n.client_id = ${clientId} and n.kind = ${kind} and n.subject_id = ${id} and n.id < ${appeal} and ${isNewRejectionSql("n")}))`;

/**
 * The row that decided a rejected item's rejection, as a subquery with at most one row: its `id`, and `by`, the kind of its
 * actor, or `import`. It may only have changed the reason. From expressions of the item's client, kind and id.
 */
export const rejectionSql = (clientId: string, kind: string, id: string): string =>
  `(select e.id, case when e.action = 'imported' then 'import' else e.actor_kind end as by from moderation_events e
     where e.client_id = ${clientId} and e.kind = ${kind} and e.subject_id = ${id} and ${isRejectionSql("e")}
     order by e.id desc limit 1)`;
