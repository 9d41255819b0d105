import { LINK_DAYS } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import type { ClaimedInvitation } from "./sql";

/** The error of a delegated invitation that wasn't accepted, so counts as not sent. */
export const NOT_ACCEPTED = "not_taken";

/**
 * Marks an invitation, just marked as sent, as delegated to the external sender. Resets `attempts`: earlier emails by
 * Candor that were withdrawn don't count.
 */
export async function markDelegated(db: Db, clientId: string, id: string, at: Date): Promise<void> {
  await db.query("update invitations set handed_at = $3, attempts = 0 where client_id = $1 and id = $2", [
    clientId,
    id,
    at,
  ]);
}

export type DelegatedInvitationRow = ClaimedInvitation & {
  /** number of deliveries tried, whether or not they arrived */
  attempts: number;
  taken_at: Date | null;
  /** expiry of its link; for a reminder, that of the invitation's link */
  expires_at: Date | null;
};

/**
 * A delegated invitation, locked until the transaction ends. Null if it isn't delegated, was released, or its person
 * was erased.
 */
export async function lockDelegated(db: Db, clientId: string, id: string): Promise<DelegatedInvitationRow | null> {
  const { rows } = await db.query<Omit<DelegatedInvitationRow, "email_hash">>(
    `select i.id, i.reminder_of, i.kind, i.customer_id, i.email, i.email_key, i.name, i.lang, i.day, i.mail_id, i.by_hand,
            i.attempts, i.taken_at, coalesce(asking.expires_at, i.expires_at) as expires_at
       from invitations i left join invitations asking on asking.client_id = i.client_id and asking.id = i.reminder_of
      where i.client_id = $1 and i.id = $2 and i.handed_at is not null and i.email is not null for no key update of i`,
    [clientId, id],
  );
  return rows[0] ? { ...rows[0], email_hash: personHash(clientId, "email", rows[0].email) } : null;
}

/** When one was delegated, and to which address, null if erased. Locked as by {@link lockDelegated}. */
export async function lockDelegation(
  db: Db,
  clientId: string,
  id: string,
): Promise<{ handed_at: Date; email_hash: string | null } | null> {
  const { rows } = await db.query<{ handed_at: Date; email: string | null }>(
    "select handed_at, email from invitations where client_id = $1 and id = $2 and handed_at is not null for no key update",
    [clientId, id],
  );
  if (!rows[0]) return null;
  const { handed_at, email } = rows[0];
  return { handed_at, email_hash: email && personHash(clientId, "email", email) };
}

/**
 * Locks invitations until the transaction ends. Before several updates of several invitations, lock all of them: each
 * update locks rows in its own order, so two transactions could deadlock.
 */
export async function lockInvitationRows(db: Db, clientId: string, ids: string[]): Promise<void> {
  await db.query("select from invitations where client_id = $1 and id = any($2) order by id for no key update", [
    clientId,
    ids,
  ]);
}

/**
 * Counts a delivery attempt before it is made, since from then on it may arrive. {@link decrementAttempts} undoes it if
 * certainly nothing was sent; after a crash in between, the email is never released for a second invitation.
 */
export async function incrementAttempts(db: Db, clientId: string, id: string): Promise<void> {
  await db.query("update invitations set attempts = attempts + 1 where client_id = $1 and id = $2", [clientId, id]);
}

/** Undoes the attempt of deliveries for which certainly nothing was sent. */
export async function decrementAttempts(db: Db, clientId: string, ids: string[]): Promise<void> {
  await db.query(
    `update invitations set attempts = greatest(attempts - 1, 0)
      where client_id = $1 and id = any($2) and handed_at is not null and taken_at is null`,
    [clientId, ids],
  );
}

/** Delegates an undelivered invitation again, dated `at`. Returns the new expiry of its link. */
export async function redelegate(db: Db, clientId: string, id: string, at: Date): Promise<Date | null> {
  const { rows } = await db.query<{ expires_at: Date }>(
    `update invitations set handed_at = $3, sent_at = $3, expires_at = $3::timestamptz + ${LINK_DAYS} * interval '1 day'
      where client_id = $1 and id = $2 returning expires_at`,
    [clientId, id, at],
  );
  return rows[0]?.expires_at ?? null;
}

/** Undoes the delegation of an undelivered invitation, so that it can be released. */
export async function unmarkDelegated(db: Db, clientId: string, id: string): Promise<void> {
  await db.query(
    "update invitations set handed_at = null, sent_at = null, expires_at = null where client_id = $1 and id = $2",
    [clientId, id],
  );
}

/**
 * Marks these as accepted by the external sender, even if they had failed. Returns those that weren't accepted before.
 */
export async function markAccepted(db: Db, clientId: string, ids: string[], at: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update invitations set taken_at = $3, status = 'sent', sent_at = coalesce(sent_at, $3), error = null, updated_at = $3
      where client_id = $1 and id = any($2) and handed_at is not null and taken_at is null returning id`,
    [clientId, ids, at],
  );
  return rows.map(({ id }) => id);
}

/**
 * Marks these as not accepted: they aren't retried and count as not sent. They may have arrived all the same, so their
 * items stay invited and the cooldown remains.
 */
export async function markNotAccepted(db: Db, clientId: string, ids: string[], at: Date): Promise<void> {
  await db.query(
    `update invitations set status = 'failed', sent_at = null, error = '${NOT_ACCEPTED}', updated_at = $3
      where client_id = $1 and id = any($2) and handed_at is not null and taken_at is null`,
    [clientId, ids, at],
  );
}
