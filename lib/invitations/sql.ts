import type { Day } from "@/lib/invitations/days";
import type { InvitationItem } from "@/lib/invitations/render-invitation";
import { type HeldReason, REVIEW_INTERVAL_DAYS } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";

const clientLock = "hashtextextended('invitations:' || $1, 0)";

/** Locks a client's invitations until the transaction ends: decisions on who gets an email are made one at a time. */
export async function lockClient(db: Db, clientId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(${clientLock})`, [clientId]);
}

/** The same without waiting. False if it is locked. */
export async function tryLockClient(db: Db, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${clientLock}) as mine`, [
    clientId,
  ]);
  return rows[0]?.mine === true;
}

/** Ids of invitations to send, oldest claim first. */
export async function selectClaimed(db: Db, clientId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from invitations where client_id = $1 and status = 'claimed' order by claimed_at, id",
    [clientId],
  );
  return rows.map(({ id }) => id);
}

export type ClaimedInvitation = {
  id: string;
  /** the invitation a reminder is about, whose items and link it uses; null for other kinds */
  reminder_of: string | null;
  /** `seller`: seller-only */
  kind: "invitation" | "reminder" | "seller";
  customer_id: string | null;
  email: string;
  email_key: string;
  email_hash: string;
  name: string | null;
  lang: string | null;
  day: Day;
  mail_id: string | null;
  /** sent manually: its items need not have waited */
  by_hand: boolean;
};

/** An invitation that is claimed and neither sent nor deleted, locked until the transaction ends. */
export async function lockClaimed(db: Db, clientId: string, id: string): Promise<ClaimedInvitation | null> {
  const { rows } = await db.query<Omit<ClaimedInvitation, "email_hash">>(
    `select id, reminder_of, kind, customer_id, email, email_key, name, lang, day, mail_id, by_hand from invitations
      where client_id = $1 and id = $2 and status = 'claimed' and email is not null for update`,
    [clientId, id],
  );
  return rows[0] ? { ...rows[0], email_hash: personHash(clientId, "email", rows[0].email) } : null;
}

/** Why the person must not be emailed now, or null. */
export async function selectSuppressionReason(
  db: Db,
  clientId: string,
  { email_key, customer_id, email_hash }: Pick<ClaimedInvitation, "email_key" | "customer_id" | "email_hash">,
): Promise<"opted_out" | "suppressed" | null> {
  const { rows } = await db.query<{ opted_out: boolean; suppressed: boolean }>(
    `select exists (select from customers where client_id = $1 and (email_key = $2 or id = $3) and opt_out_by_order)
            or exists (select from suppressions where client_id = $1 and email_hash = $4 and reason = 'opt_out') as opted_out,
            exists (select from suppressions where client_id = $1 and email_hash = $4 and reason <> 'opt_out') as suppressed`,
    [clientId, email_key, customer_id, email_hash],
  );
  return rows[0]?.opted_out ? "opted_out" : rows[0]?.suppressed ? "suppressed" : null;
}

/** All keyed hashes of the invitation's person: of the address and of every customer id with it. */
const personHashes = `select $2::text as hash union select id_hash from customers
  where client_id = $1 and (email_key = $3 or id = $4)`;

/**
 * Moves an invitation claimed on an earlier day to today, in limit and cooldown. Does nothing if today's limit is used
 * up, or the person got another email since. Requires the client's lock.
 */
export async function moveToDay(
  db: Db,
  clientId: string,
  invitation: ClaimedInvitation,
  today: Day,
  limit: number,
): Promise<"moved" | "limit_reached" | "invited_since"> {
  const person = [clientId, invitation.email_hash, invitation.email_key, invitation.customer_id];
  const { rows: since } = await db.query(
    `select from quarantines where client_id = $1 and person_hash in (${personHashes}) and last_day > $5::date limit 1`,
    [...person, invitation.day],
  );
  if (since.length > 0) return "invited_since";
  const { rows: counted } = await db.query(
    `insert into send_days as d (client_id, day, sent) select $1, $2::date, 1 where $3::int > 0
     on conflict (client_id, day) do update set sent = d.sent + 1 where d.sent < $3::int returning 1`,
    [clientId, today, limit],
  );
  if (counted.length === 0) return "limit_reached";
  await decrementSentCount(db, clientId, invitation.day);
  await db.query(
    `insert into quarantines as q (client_id, person_hash, last_day) select $1, hash, $5::date from (${personHashes}) p
     on conflict (client_id, person_hash) do update set last_day = greatest(q.last_day, excluded.last_day), erased_until = null`,
    [...person, today],
  );
  await db.query("update invitations set day = $3::date where client_id = $1 and id = $2", [
    clientId,
    invitation.id,
    today,
  ]);
  invitation.day = today;
  return "moved";
}

/**
 * Releases a claimed invitation: it fails with the reason, its items are free for the next run, and it doesn't count
 * any more. Resets the cooldown to the person's last other email, to any address they had then; without a cooldown
 * period that may be on the same day, or between the claim and now. Ignores released invitations, which have neither
 * items nor an email; reminders never have items of their own. Locks the client.
 */
export async function releaseInvitation(
  db: Db,
  clientId: string,
  invitation: ClaimedInvitation,
  reason: HeldReason,
): Promise<void> {
  // An uncommitted claim of the same day must not lose its cooldown to this reset.
  await lockClient(db, clientId);
  await db.query("delete from invitation_items where client_id = $1 and invitation_id = $2", [clientId, invitation.id]);
  await db.query(
    "update invitations set status = 'failed', error = $3, updated_at = now() where client_id = $1 and id = $2",
    [clientId, invitation.id, reason],
  );
  await decrementSentCount(db, clientId, invitation.day);
  const person = [clientId, invitation.email_hash, invitation.email_key, invitation.customer_id, invitation.day];
  const { rows } = await db.query<{ day: Day | null }>(
    `select max(n.day) as day from invitations n
      where n.client_id = $1 and n.id <> $2
        and (n.email_key = $3 or n.customer_id = any(array(
          select id from customers where client_id = $1 and (email_key = $3 or id = $4))))
        and (n.status <> 'failed' or n.mail_id is not null or n.handed_at is not null or exists (
          select from invitation_items ii where ii.client_id = $1 and ii.invitation_id = n.id))`,
    [clientId, invitation.id, invitation.email_key, invitation.customer_id],
  );
  const before = rows[0]?.day ?? null;
  await db.query(
    before === null
      ? `delete from quarantines where client_id = $1 and person_hash in (${personHashes}) and last_day = $5::date`
      : `update quarantines set last_day = least(last_day, $6::date)
          where client_id = $1 and person_hash in (${personHashes}) and last_day = $5::date`,
    before === null ? person : [...person, before],
  );
}

/** Deletes cooldowns that are over `today`, and sets the end of the others. */
export async function shortenQuarantines(
  db: Db,
  clientId: string,
  hashes: string[],
  quarantineDays: number,
  today: Day,
): Promise<void> {
  await db.query(
    "delete from quarantines where client_id = $1 and person_hash = any($2) and last_day + $3::int <= $4::date",
    [clientId, hashes, quarantineDays, today],
  );
  await db.query(
    "update quarantines set erased_until = last_day + $3::int where client_id = $1 and person_hash = any($2)",
    [clientId, hashes, quarantineDays],
  );
}

export async function deleteEndedQuarantines(
  db: Db,
  day: Day,
  limit: number,
  clientId: string | null,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from quarantines where (client_id, person_hash) in (
       select client_id, person_hash from quarantines where erased_until <= $1::date and ($3::text is null or client_id = $3)
        order by erased_until limit $2 for update skip locked)`,
    [day, limit, clientId],
  );
  return rowCount ?? 0;
}

async function decrementSentCount(db: Db, clientId: string, day: Day): Promise<void> {
  await db.query("update send_days set sent = greatest(sent - 1, 0) where client_id = $1 and day = $2::date", [
    clientId,
    day,
  ]);
}

/** Positions of the invitation's items that have their own review, or whose product the person reviewed recently. */
export async function selectReviewedPositions(
  db: Db,
  clientId: string,
  { id, email_key }: Pick<ClaimedInvitation, "id" | "email_key">,
  today: Day,
): Promise<Set<number>> {
  const { rows } = await db.query<{ position: number }>(
    `select ii.position from invitation_items ii
      where ii.client_id = $1 and ii.invitation_id = $2
        and (exists (select from reviews v where v.client_id = $1 and v.order_id = ii.order_id and v.product_id = ii.item_id)
          or exists (select from reviews v where v.client_id = $1 and v.email_key = $3 and v.product_id = ii.item_id
                and v.date > $4::date - ${REVIEW_INTERVAL_DAYS})
          or exists (select from customers same
               join reviews v on v.client_id = $1 and v.customer_id = same.id and v.product_id = ii.item_id
              where same.client_id = $1 and same.email_key = $3 and v.date > $4::date - ${REVIEW_INTERVAL_DAYS}))`,
    [clientId, id, email_key, today],
  );
  return new Set(rows.map(({ position }) => position));
}

/** Keeps only these of the invitation's items, by position; frees the others for the next run. */
export async function deleteItemsExcept(
  db: Db,
  clientId: string,
  invitationId: string,
  positions: number[],
): Promise<void> {
  await db.query(
    "delete from invitation_items where client_id = $1 and invitation_id = $2 and position <> all($3::int[])",
    [clientId, invitationId, positions],
  );
}

/** Catalog products as items of an order: the most presentable, with an image first. */
export async function selectSampleItems(db: Db, clientId: string, count: number): Promise<InvitationItem[]> {
  const { rows } = await db.query<InvitationItem>(
    `select '100045' as order_id, id as item_id, (row_number() over (order by image_url is null, id))::int as position,
            family_id, name, category, url, image_url
       from (select * from products where client_id = $1 and not deleted order by id limit 200) p
      order by image_url is null, id limit $2`,
    [clientId, count],
  );
  return rows;
}

/** Sets the email written for the invitation, or null if it was withdrawn. */
export async function setMailId(db: Db, clientId: string, id: string, mailId: string | null): Promise<void> {
  await db.query(
    "update invitations set mail_id = $3, attempts = attempts + ($3::text is not null)::int where client_id = $1 and id = $2",
    [clientId, id, mailId],
  );
}

/** Whether this call marked it as sent: only one does. */
export async function markSent(db: Db, clientId: string, id: string, at: Date, expires: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update invitations set status = 'sent', sent_at = $3, expires_at = $4, updated_at = $3
      where client_id = $1 and id = $2 and status = 'claimed'`,
    [clientId, id, at, expires],
  );
  return rowCount === 1;
}

/**
 * The email was permanently rejected, or may have been sent: its items stay invited, so that no second email is sent.
 */
export async function markFailed(db: Db, clientId: string, id: string): Promise<void> {
  await db.query(
    `update invitations i set status = 'failed', updated_at = now(),
            error = (select m.error from mails m where m.id = i.mail_id)
      where client_id = $1 and id = $2 and status = 'claimed'`,
    [clientId, id],
  );
}

/** Whether the person opted out themselves, by the link or by reporting spam, and the language of their last email. */
export async function findOptOut(
  db: Db,
  clientId: string,
  emailHash: string,
): Promise<{ stopped: boolean; complained: boolean; lang: string | null }> {
  const { rows } = await db.query<{ stopped: boolean; complained: boolean; lang: string | null }>(
    `select exists (select from suppressions where client_id = $1 and email_hash = $2 and reason in ('opt_out', 'complaint')) as stopped,
            exists (select from suppressions where client_id = $1 and email_hash = $2 and reason = 'complaint') as complained,
            (select lang from customers where client_id = $1 and email_hash = $2 and lang is not null
              order by updated_at desc, id limit 1) as lang`,
    [clientId, emailHash],
  );
  return rows[0] ?? { stopped: false, complained: false, lang: null };
}

export async function selectSuppression(db: Db, clientId: string, emailHash: string): Promise<boolean> {
  const { rows } = await db.query("select from suppressions where client_id = $1 and email_hash = $2 limit 1", [
    clientId,
    emailHash,
  ]);
  return rows.length > 0;
}

/** Whether an address is suppressed for another reason than its person's opt-out. */
export async function selectUndeliverable(db: Db, clientId: string, emailHash: string): Promise<boolean> {
  const { rows } = await db.query(
    "select from suppressions where client_id = $1 and email_hash = $2 and reason <> 'opt_out' limit 1",
    [clientId, emailHash],
  );
  return rows.length > 0;
}

/** Adds a reason why an address gets no more email, in addition to others. */
export async function insertSuppression(
  db: Db,
  clientId: string,
  emailHash: string,
  reason: "opt_out" | "bounce" | "complaint" | "manual",
): Promise<void> {
  await db.query(
    "insert into suppressions (client_id, email_hash, reason) values ($1, $2, $3) on conflict do nothing",
    [clientId, emailHash, reason],
  );
}

/** An invitation's key: its email's id, or its own. */
export type InvitationKey = { mailId: string } | { id: string };

/**
 * Records an email's outcome on its invitation, once. Returns the invitation's id if it is new. An opened email counts
 * as delivered; a bounced one doesn't, even if the receiving server had accepted it at first.
 */
export async function setOutcome(
  db: Db,
  clientId: string,
  which: InvitationKey,
  outcome: "delivered" | "bounced" | "opened" | "clicked",
  at: Date,
): Promise<string | null> {
  const [column, value] = "mailId" in which ? ["mail_id", which.mailId] : ["id", which.id];
  const { rows } = await db.query<{ id: string }>(
    `update invitations set ${outcomeColumns[outcome]}
      where client_id = $1 and ${column} = $2 and ${outcome}_at is null returning id`,
    [clientId, value, at],
  );
  return rows[0]?.id ?? null;
}

const outcomeColumns = {
  delivered: "delivered_at = case when bounced_at is null then $3::timestamptz end",
  bounced: "bounced_at = $3, delivered_at = null",
  opened: "opened_at = $3, delivered_at = coalesce(delivered_at, $3)",
  clicked: "clicked_at = $3, delivered_at = coalesce(delivered_at, $3)",
};

export async function deleteOptOut(db: Db, clientId: string, emailHash: string): Promise<void> {
  await db.query("delete from suppressions where client_id = $1 and email_hash = $2 and reason = 'opt_out'", [
    clientId,
    emailHash,
  ]);
}
