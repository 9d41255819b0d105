import { LINK_DAYS } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import type { ClaimedInvitation } from "./sql";

/** Why an invitation that was handed over counts as not sent: nobody took it. */
export const NOT_ACCEPTED = "not_taken";

/**
 * Notes that an invitation just marked as sent is not mailed but handed to the merchant's own sender. It was told to nobody yet:
 * mails of ours that were written for it before and taken back do not count.
 */
export async function markDelegated(db: Db, clientId: string, id: string, at: Date): Promise<void> {
  await db.query("update invitations set handed_at = $3, attempts = 0 where client_id = $1 and id = $2", [
    clientId,
    id,
    at,
  ]);
}

export type DelegatedInvitationRow = ClaimedInvitation & {
  /** so often it was told, whether or not that arrived */
  attempts: number;
  taken_at: Date | null;
  /** when its link ends: of a reminder, when the link of the invitation does that it reminds of */
  expires_at: Date | null;
};

/**
 * An invitation that was handed to the merchant's own sender, locked until the transaction ends; null for others, where its
 * person was erased, and where it was taken back.
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

/** When one was handed over, and to which address, which is null where that is erased; it is locked as by {@link lockDelegated}. */
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
 * Holds invitations until the transaction ends. Whoever notes several things of several of them holds all of them first:
 * each thing by itself would hold them in an order of its own, and two who do that wait for each other.
 */
export async function lockInvitationRows(db: Db, clientId: string, ids: string[]): Promise<void> {
  await db.query("select from invitations where client_id = $1 and id = any($2) order by id for no key update", [
    clientId,
    ids,
  ]);
}

/**
 * Notes that it is told now: from here on it may have arrived. Written before, and taken back by {@link decrementAttempts} where it is
 * certain that nothing went: who is killed in between leaves a mail that is never asked for twice.
 */
export async function incrementAttempts(db: Db, clientId: string, id: string): Promise<void> {
  await db.query("update invitations set attempts = attempts + 1 where client_id = $1 and id = $2", [clientId, id]);
}

/** These were to be told, and not a byte of it has left: it is as if this time had not been. */
export async function decrementAttempts(db: Db, clientId: string, ids: string[]): Promise<void> {
  await db.query(
    `update invitations set attempts = greatest(attempts - 1, 0)
      where client_id = $1 and id = any($2) and handed_at is not null and taken_at is null`,
    [clientId, ids],
  );
}

/** It waited, told to nobody: it is handed over as of now. Answers when its link ends. */
export async function redelegate(db: Db, clientId: string, id: string, at: Date): Promise<Date | null> {
  const { rows } = await db.query<{ expires_at: Date }>(
    `update invitations set handed_at = $3, sent_at = $3, expires_at = $3::timestamptz + ${LINK_DAYS} * interval '1 day'
      where client_id = $1 and id = $2 returning expires_at`,
    [clientId, id, at],
  );
  return rows[0]?.expires_at ?? null;
}

/** It is as if it had never been handed over: for one that was told to nobody, and is to be released. */
export async function unmarkDelegated(db: Db, clientId: string, id: string): Promise<void> {
  await db.query(
    "update invitations set handed_at = null, sent_at = null, expires_at = null where client_id = $1 and id = $2",
    [clientId, id],
  );
}

/** The merchant's own sender has these, also where they were thought lost. Answers those that it was not known to have. */
export async function markAccepted(db: Db, clientId: string, ids: string[], at: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update invitations set taken_at = $3, status = 'sent', sent_at = coalesce(sent_at, $3), error = null, updated_at = $3
      where client_id = $1 and id = any($2) and handed_at is not null and taken_at is null returning id`,
    [clientId, ids, at],
  );
  return rows.map(({ id }) => id);
}

/**
 * These were told and not taken, and are told no more: they count as not sent. They may have arrived all the same, so what
 * they ask for stays asked for, and their quarantine stands.
 */
export async function markNotAccepted(db: Db, clientId: string, ids: string[], at: Date): Promise<void> {
  await db.query(
    `update invitations set status = 'failed', sent_at = null, error = '${NOT_ACCEPTED}', updated_at = $3
      where client_id = $1 and id = any($2) and handed_at is not null and taken_at is null`,
    [clientId, ids, at],
  );
}
