import { UNDO_SECONDS } from "@/lib/reviews/decisions/rules";

// Which rows of an item's history rejected it. Not each with `to_state` rejected did: an edit of a rejected item has that
// state before and after, and so has the confirmation of its author's address. An undo restores an earlier rejection.

// Subqueries are aggregates or have a limit: PostgreSQL may turn an `exists` into a join that reads the store's whole history.

const isOfItemSql = (row: string, other: string): string =>
  `${row}.client_id = ${other}.client_id and ${row}.kind = ${other}.kind and ${row}.subject_id = ${other}.subject_id`;

/** SQL condition: a person undoes their own decision, another row of the item's history. */
export const isUndoSql = (row: string, decision: string): string =>
  `(${isOfItemSql(row, decision)} and ${row}.id > ${decision}.id and ${row}.actor_kind = 'user' and ${decision}.actor_kind = 'user'
    and ${row}.actor_id = ${decision}.actor_id and (${row}.from_state, ${row}.to_state) = (${decision}.to_state, ${decision}.from_state)
    and ${row}.at <= ${decision}.at + interval '${UNDO_SECONDS} seconds')`;

/** SQL condition: a row decides that an item is rejected, or rejected for another reason. */
const isDecidedRejectedSql = (row: string): string =>
  `(${row}.to_state = 'rejected' and (${row}.from_state is distinct from 'rejected' or ${row}.action = 'decided'
    or ${row}.action = 'imported' and ${row}.texts is null))`;

/** SQL condition: a row undoes a decision, with the reason from before it. */
const isRestoringSql = (row: string, undone: string): string =>
  `(${isUndoSql(row, undone)} and ${row}.reason is not distinct from (
     select earlier.reason from moderation_events earlier
      where ${isOfItemSql("earlier", undone)} and earlier.id < ${undone}.id and ${isDecidedRejectedSql("earlier")}
      order by earlier.id desc limit 1))`;

/** SQL condition: a row restores a rejection. */
const isRestoredSql = (row: string): string =>
  `(${row}.actor_kind = 'user' and (
     select count(*) > 0 from moderation_events undone where ${isRestoringSql(row, "undone")}))`;

/** SQL condition: a row changed a rejection's reason, and that was undone and not done again. */
const isUndoneReasonSql = (row: string): string =>
  `(${row}.actor_kind = 'user' and ${row}.from_state = 'rejected' and (
     select count(*) > 0 from moderation_events undo
      where ${isRestoringSql("undo", row)}
        and (select count(*) = 0 from moderation_events again where again.action = 'decided' and ${isUndoSql("again", "undo")})))`;

/** SQL condition: a row of the history rejected an item that wasn't rejected. */
export const isNewRejectionSql = (row: string): string =>
  `(${row}.to_state = 'rejected' and ${row}.from_state is distinct from 'rejected' and not ${isRestoredSql(row)})`;

/** SQL condition: a row of the history rejected an item, or a rejected item for another reason. */
const isRejectionSql = (row: string): string =>
  `(${isDecidedRejectedSql(row)} and not ${isRestoredSql(row)} and not ${isUndoneReasonSql(row)})`;

/** The number of the row that rejected an item before its appeal at the row with the number `appeal`, as a subquery. */
export const appealedRejectionSql = (clientId: string, kind: string, id: string, appeal: string): string =>
  `(select max(n.id) from moderation_events n
     where n.client_id = ${clientId} and n.kind = ${kind} and n.subject_id = ${id} and n.id < ${appeal} and ${isNewRejectionSql("n")})`;

/**
 * SQL condition: a row `r` had a part in the rejection that was appealed at the row with the number `appeal`: it rejected the
 * item, or changed the reason since. From expressions of the item's client, kind and id.
 */
export const isAppealedRejectionSql = (clientId: string, kind: string, id: string, appeal: string): string =>
  `(${isRejectionSql("r")} and r.id < ${appeal} and r.id >= ${appealedRejectionSql(clientId, kind, id, appeal)})`;

/**
 * The row that decided a rejected item's rejection, as a subquery with at most one row: its `id`, and `by`, the kind of its
 * actor, or `import`. It may only have changed the reason. From expressions of the item's client, kind and id.
 */
export const rejectionSql = (clientId: string, kind: string, id: string): string =>
  `(select e.id, case when e.action = 'imported' then 'import' else e.actor_kind end as by from moderation_events e
     where e.client_id = ${clientId} and e.kind = ${kind} and e.subject_id = ${id} and ${isRejectionSql("e")}
     order by e.id desc limit 1)`;
