import type { Db } from "@/lib/db/pool";
import type { Day } from "@/lib/invitations/days";
import type { AskedItem } from "@/lib/invitations/render-invitation";
import { type HeldReason, LINK_DAYS, MERGE_DAYS, REVIEWED_DAYS, type SendRules } from "@/lib/invitations/rules";
import { personHash } from "@/lib/personal-data/person-hash";

const clientLock = "hashtextextended('invitations:' || $1, 0)";

/** Nothing about who gets a mail of this client is decided or changed by two at once until the transaction ends. */
export async function lockClient(db: Db, clientId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(${clientLock})`, [clientId]);
}

/** The same, where nobody is at it; false at once otherwise. */
export async function tryLockClient(db: Db, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${clientLock}) as mine`, [
    clientId,
  ]);
  return rows[0]?.mine === true;
}

// The rules of rules.ts over whole tables. $1 client, $2 today, $3 after, $4 before, $5 quarantine, $6 limit a day.
// A walk for the mails to be sent reads the window's part of the partial index only; a plan reads every item; one order
// ($7) is judged with all items of its person, which may wait for each other.
// What belongs to one person is told by window functions, never by joining one step's rows to another's: the planner
// cannot guess how many there are, and a loop over both costs hours where this costs seconds.
const decisions = (reads: "window" | "everything" | "order") => `
with base as (
  -- One person is every customer id with the address: what one of them said or got counts for all.
  select oi.order_id, oi.id as item_id, oi.delivery_date, oi.reviewable, oi.held_at is not null as held,
         c.email_key as person, ii.invitation_id is not null as invited, coalesce(p.deleted, false) as product_deleted,
         least(oi.delivery_date + $3::int, '9999-12-31') as opens, least(oi.delivery_date + $4::int, '9999-12-31') as closes,
         bool_or(same.opt_out_by_order) or coalesce(bool_or(s.reason = 'opt_out'), false) as opted_out,
         coalesce(bool_or(s.reason <> 'opt_out'), false) as suppressed,
         max(greatest(by_id.last_day, by_address.last_day)) + $5::int as free
    from order_items oi
    join orders o on o.client_id = oi.client_id and o.id = oi.order_id
    join customers c on c.client_id = o.client_id and c.id = o.customer_id
    left join products p on p.client_id = oi.client_id and p.id = oi.id
    left join invitation_items ii on ii.client_id = oi.client_id and ii.order_id = oi.order_id and ii.item_id = oi.id
    left join customers same on same.client_id = c.client_id and same.email_key = c.email_key
    left join quarantines by_id on by_id.client_id = $1 and by_id.person_hash = same.id_hash
    left join quarantines by_address on by_address.client_id = $1 and by_address.person_hash = c.email_hash
    left join suppressions s on s.client_id = $1 and s.email_hash = c.email_hash
   where oi.client_id = $1
     ${
       reads === "window"
         ? `and oi.reviewable and oi.delivery_date is not null and ii.invitation_id is null and c.email_key is not null
     and oi.delivery_date between $2::date - $4::int and $2::date - $3::int + ${MERGE_DAYS}`
         : reads === "order"
           ? `and (oi.order_id = $7 or oi.order_id = any(array(
       select fellow.id from orders named
         join customers known on known.client_id = $1 and known.id = named.customer_id
         join customers same on same.client_id = $1 and same.email_key = known.email_key
         join orders fellow on fellow.client_id = $1 and fellow.customer_id = same.id
        where named.client_id = $1 and named.id = $7)))`
           : ""
     }
   group by oi.client_id, oi.order_id, oi.id, c.email_key, ii.invitation_id, p.deleted
), facts as (
  select *,
         case when invited then 'already_invited' when not reviewable then 'not_reviewable'
              when delivery_date is null then 'no_delivery_date' when product_deleted then 'product_deleted'
              when held then 'held' when person is null then 'no_email' when opted_out then 'opted_out'
              when suppressed then 'suppressed' when closes < $2::date then 'too_late' end as never
    from base
), verdicts as (
  select f.order_id, f.item_id, f.delivery_date, f.person, f.closes,
         case when f.never is null then greatest(f.opens, r.again, f.free) end as ready,
         case when f.never is not null then f.never when r.again > $2::date then 'already_reviewed'
              when f.opens > $2::date then 'too_early' when f.free > $2::date then 'quarantine' end as reason,
         case when f.never is not null then null when r.again > $2::date then r.again
              when f.opens > $2::date then f.opens when f.free > $2::date then f.free end as until
    from facts f
    left join lateral (
      select max(found.date) + ${REVIEWED_DAYS} as again
        from (select v.date from reviews v where v.client_id = $1 and v.email_key = f.person and v.product_id = f.item_id
              union all
              select v.date from customers c
                join reviews v on v.client_id = $1 and v.customer_id = c.id and v.product_id = f.item_id
               where c.client_id = $1 and c.email_key = f.person) found
       where f.never is null
    ) r on true
), deadlines as (
  select *, least(min(ready) filter (where reason is null) over same_person + ${MERGE_DAYS},
                  min(closes) filter (where reason is null) over same_person) as deadline
    from verdicts window same_person as (partition by person)
), waits as (
  select *, case when reason is null then
           max(ready) filter (where reason is not null and ready > $2::date and ready <= closes and ready <= deadline)
             over (partition by person) end as wait_until
    from deadlines
), oldest as (
  -- Oldest delivery first; ids only so that the order is always the same.
  select *, reason is null and wait_until is null as goes,
         first_value(delivery_date) over by_age as first_date, first_value(order_id) over by_age as first_order,
         first_value(item_id) over by_age as first_item
    from waits
  window by_age as (partition by person, reason is null and wait_until is null order by delivery_date, order_id, item_id)
), places as (
  select *, case when goes then dense_rank() over (order by goes desc, first_date, first_order, first_item) end as place,
         greatest($6::int - coalesce((select sent from send_days where client_id = $1 and day = $2::date), 0), 0) as room
    from oldest
), decided as (
  select order_id, item_id, delivery_date, person, place,
         case when reason is not null then reason when wait_until is not null then 'waiting_for_items'
              when place > room then 'send_limit' end as reason,
         case when reason is not null then until when wait_until is not null then wait_until
              when place > room and $6::int > 0 then $2::date + 1 + ((place - room - 1) / $6::int)::int end as until
    from places
)`;

const planText = `${decisions("everything")}
select d.order_id, d.item_id, d.reason, d.until, d.person,
       case when d.reason is null then
         (select c.email from customers c where c.client_id = $1 and c.email_key = d.person order by c.updated_at desc, c.id limit 1)
       end as "to"
  from decided d order by d.place nulls last, d.delivery_date, d.order_id, d.item_id`;

const orderText = `${decisions("order")}
select d.item_id, d.reason, d.until from decided d where d.order_id = $7 order by d.item_id`;

const dueText = `${decisions("window")}
select d.person as email_key, max(d.place) as place,
       json_agg(json_build_object('order_id', d.order_id, 'item_id', d.item_id) order by d.delivery_date, d.order_id, d.item_id) as items,
       (select json_build_object(
          'hashes', json_agg(c.id_hash), 'email_hash', max(c.email_hash),
          'customer_id', (array_agg(c.id order by c.updated_at desc, c.id))[1],
          'email', (array_agg(c.email order by c.updated_at desc, c.id))[1],
          'name', (array_agg(c.name order by c.updated_at desc, c.id) filter (where c.name is not null))[1],
          'lang', (array_agg(c.lang order by c.updated_at desc, c.id) filter (where c.lang is not null))[1])
        from customers c where c.client_id = $1 and c.email_key = d.person) as customer
  from decided d where d.reason is null group by d.person order by 2`;

// Not named: the best plan depends on the values (how much of the table the window is), so it is made for each run.
const values = (clientId: string, rules: SendRules, today: Day) => [
  clientId,
  today,
  rules.afterDays,
  rules.beforeDays,
  rules.quarantineDays,
  rules.limit,
];

export type PlannedItem = {
  order_id: string;
  item_id: string;
  reason: HeldReason | null;
  until: Day | null;
  person: string | null;
  to: string | null;
};

/** Every item of the client and what is decided on it today; items of one mail follow each other. */
export async function selectPlan(db: Db, clientId: string, rules: SendRules, today: Day): Promise<PlannedItem[]> {
  const { rows } = await db.query<PlannedItem>(planText, values(clientId, rules, today));
  return rows;
}

/** The items of one order and what is decided on each today, as if no other person's mail were due. */
export async function selectOrderPlan(
  db: Db,
  clientId: string,
  rules: SendRules,
  today: Day,
  orderId: string,
): Promise<Pick<PlannedItem, "item_id" | "reason" | "until">[]> {
  const { rows } = await db.query<PlannedItem>(orderText, [...values(clientId, rules, today), orderId]);
  return rows;
}

/** One mail that is due: whose, and for which items (oldest delivery first). The newest of the customer rows greets. */
export type DueMail = {
  email_key: string;
  items: { order_id: string; item_id: string }[];
  customer: {
    hashes: string[];
    email_hash: string;
    customer_id: string;
    email: string;
    name: string | null;
    lang: string | null;
  };
};

/** The mails that may go today, oldest delivery first, no more than the day's limit leaves room for. */
export async function selectDue(db: Db, clientId: string, rules: SendRules, today: Day): Promise<DueMail[]> {
  const { rows } = await db.query<DueMail>(dueText, values(clientId, rules, today));
  return rows;
}

export type NewInvitation = DueMail & { id: string };

/** Writes claimed invitations with their items, the quarantine of each person and the day's count. */
export async function insertInvitations(
  db: Db,
  clientId: string,
  day: Day,
  at: Date,
  invitations: NewInvitation[],
): Promise<void> {
  const given = JSON.stringify(
    invitations.map(({ id, email_key, items, customer }) => ({ id, email_key, items, ...customer })),
  );
  await db.query(
    `with given as (
       select * from jsonb_to_recordset($4::jsonb)
         as g(id text, email_key text, customer_id text, email text, name text, lang text, hashes text[], email_hash text, items jsonb)
     ), written as (
       insert into invitations (client_id, id, kind, customer_id, email, email_key, name, lang, status, day, claimed_at, created_at, updated_at)
       select $1, id, 'invitation', customer_id, email, email_key, name, lang, 'claimed', $2::date, $3, $3, $3 from given
       returning id
     ), asked as (
       insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
       select $1, g.id, i.item->>'order_id', i.item->>'item_id', i.position
         from given g cross join lateral jsonb_array_elements(g.items) with ordinality as i(item, position)
     ), counted as (
       insert into send_days as d (client_id, day, sent) select $1, $2::date, count(*) from written having count(*) > 0
       on conflict (client_id, day) do update set sent = d.sent + excluded.sent
     )
     insert into quarantines as q (client_id, person_hash, last_day)
     select distinct $1, h.hash, $2::date from given g cross join lateral unnest(g.hashes || g.email_hash) as h(hash)
     on conflict (client_id, person_hash) do update set last_day = greatest(q.last_day, excluded.last_day), erased_until = null`,
    [clientId, day, at, given],
  );
}

/** Ids of invitations that wait to be sent, oldest claim first. */
export async function selectClaimed(db: Db, clientId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from invitations where client_id = $1 and status = 'claimed' order by claimed_at, id",
    [clientId],
  );
  return rows.map(({ id }) => id);
}

export type ClaimedInvitation = {
  id: string;
  customer_id: string | null;
  email: string;
  email_key: string;
  email_hash: string;
  name: string | null;
  lang: string | null;
  day: Day;
  mail_id: string | null;
};

/** The invitation if it is claimed and neither sent nor gone, locked until the transaction ends. */
export async function lockClaimed(db: Db, clientId: string, id: string): Promise<ClaimedInvitation | null> {
  const { rows } = await db.query<Omit<ClaimedInvitation, "email_hash">>(
    `select id, customer_id, email, email_key, name, lang, day, mail_id from invitations
      where client_id = $1 and id = $2 and status = 'claimed' and email is not null for update`,
    [clientId, id],
  );
  return rows[0] ? { ...rows[0], email_hash: personHash(clientId, "email", rows[0].email) } : null;
}

/** Why the person must not be written to, as it stands now, or null. */
export async function selectObjection(
  db: Db,
  clientId: string,
  { email_key, customer_id, email_hash }: ClaimedInvitation,
): Promise<"opted_out" | "suppressed" | null> {
  const { rows } = await db.query<{ opted_out: boolean; suppressed: boolean }>(
    `select exists (select from customers where client_id = $1 and (email_key = $2 or id = $3) and opt_out_by_order)
            or exists (select from suppressions where client_id = $1 and email_hash = $4 and reason = 'opt_out') as opted_out,
            exists (select from suppressions where client_id = $1 and email_hash = $4 and reason <> 'opt_out') as suppressed`,
    [clientId, email_key, customer_id, email_hash],
  );
  return rows[0]?.opted_out ? "opted_out" : rows[0]?.suppressed ? "suppressed" : null;
}

/** All keyed hashes of the invitation's person: of the address and of every customer id that has it. */
const personHashes = `select $2::text as hash union select id_hash from customers
  where client_id = $1 and (email_key = $3 or id = $4)`;

/**
 * Counts an invitation that was claimed on an earlier day for today instead, in limit and quarantine. Does nothing when
 * today's limit is used up, or when the person has been invited by another mail since. Under the client's lock.
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
  await uncount(db, clientId, invitation.day);
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
 * Takes a claimed invitation back: it fails with the reason, its items are free for the planner again, and it counts
 * no more. Its quarantine goes with it: whatever was there before was over when the mail was claimed.
 */
export async function releaseInvitation(
  db: Db,
  clientId: string,
  invitation: ClaimedInvitation,
  reason: HeldReason,
): Promise<void> {
  await db.query("delete from invitation_items where client_id = $1 and invitation_id = $2", [clientId, invitation.id]);
  await db.query(
    "update invitations set status = 'failed', error = $3, updated_at = now() where client_id = $1 and id = $2",
    [clientId, invitation.id, reason],
  );
  await uncount(db, clientId, invitation.day);
  await db.query(
    `delete from quarantines where client_id = $1 and person_hash in (${personHashes}) and last_day = $5::date`,
    [clientId, invitation.email_hash, invitation.email_key, invitation.customer_id, invitation.day],
  );
}

/** Removes those of the quarantines that are over `today`, and notes of the others when they will be. */
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

export async function deleteEndedQuarantines(db: Db, day: Day, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from quarantines where (client_id, person_hash) in (
       select client_id, person_hash from quarantines where erased_until <= $1::date
        order by erased_until limit $2 for update skip locked)`,
    [day, limit],
  );
  return rowCount ?? 0;
}

async function uncount(db: Db, clientId: string, day: Day): Promise<void> {
  await db.query("update send_days set sent = greatest(sent - 1, 0) where client_id = $1 and day = $2::date", [
    clientId,
    day,
  ]);
}

export type AskedItemRow = AskedItem & {
  customer_id: string;
  delivery_date: Day | null;
  reviewable: boolean;
  held: boolean;
  product_deleted: boolean;
};

/** The items of an invitation in their order, with the order's own details before the catalogue's. */
export async function selectAskedItems(db: Db, clientId: string, invitationId: string): Promise<AskedItemRow[]> {
  const { rows } = await db.query<AskedItemRow>(
    `select ii.order_id, ii.item_id, ii.position, o.customer_id, coalesce(oi.family_id, p.family_id) as family_id,
            coalesce(oi.name, p.name) as name, coalesce(oi.category, p.category) as category,
            coalesce(oi.url, p.url) as url, coalesce(oi.image_url, p.image_url) as image_url,
            oi.delivery_date, oi.reviewable, oi.held_at is not null as held, coalesce(p.deleted, false) as product_deleted
       from invitation_items ii
       join order_items oi on oi.client_id = ii.client_id and oi.order_id = ii.order_id and oi.id = ii.item_id
       join orders o on o.client_id = ii.client_id and o.id = ii.order_id
       left join products p on p.client_id = ii.client_id and p.id = ii.item_id
      where ii.client_id = $1 and ii.invitation_id = $2 order by ii.position`,
    [clientId, invitationId],
  );
  return rows;
}

/** Notes the mail that was written for the invitation, or that it was taken back. */
export async function setMail(db: Db, clientId: string, id: string, mailId: string | null): Promise<void> {
  await db.query(
    "update invitations set mail_id = $3, attempts = attempts + ($3::text is not null)::int where client_id = $1 and id = $2",
    [clientId, id, mailId],
  );
}

/** Whether this call made it sent: only one does. */
export async function markSent(db: Db, clientId: string, id: string, at: Date, expires: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update invitations set status = 'sent', sent_at = $3, expires_at = $4, updated_at = $3
      where client_id = $1 and id = $2 and status = 'claimed'`,
    [clientId, id, at, expires],
  );
  return rowCount === 1;
}

/** The mail was refused for good, or may have gone: its items count as asked for, so that no second mail goes. */
export async function markFailed(db: Db, clientId: string, id: string): Promise<void> {
  await db.query(
    `update invitations i set status = 'failed', updated_at = now(),
            error = (select m.error from mails m where m.id = i.mail_id)
      where client_id = $1 and id = $2 and status = 'claimed'`,
    [clientId, id],
  );
}

export type SentInvitation = {
  id: string;
  customer_id: string | null;
  email: string;
  name: string | null;
  lang: string | null;
  expires_at: Date;
};

/** An invitation whose link somebody holds. One whose sending was not written down yet ends 180 days from its claim. */
export async function selectSent(db: Db, clientId: string, id: string): Promise<SentInvitation | null> {
  const { rows } = await db.query<SentInvitation>(
    `select id, customer_id, email, name, lang, coalesce(expires_at, claimed_at + ${LINK_DAYS} * interval '1 day') as expires_at
       from invitations where client_id = $1 and id = $2 and email is not null`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

export async function markReviewed(db: Db, clientId: string, id: string, at: Date): Promise<void> {
  await db.query(
    "update invitations set reviewed_at = coalesce(reviewed_at, $3), updated_at = $3 where client_id = $1 and id = $2",
    [clientId, id, at],
  );
}

/** Whether the person stopped mail to the address themselves, and the language they were last written to in. */
export async function findOptOut(
  db: Db,
  clientId: string,
  emailHash: string,
): Promise<{ stopped: boolean; lang: string | null }> {
  const { rows } = await db.query<{ stopped: boolean; lang: string | null }>(
    `select exists (select from suppressions where client_id = $1 and email_hash = $2 and reason in ('opt_out', 'complaint')) as stopped,
            (select lang from customers where client_id = $1 and email_hash = $2 and lang is not null
              order by updated_at desc, id limit 1) as lang`,
    [clientId, emailHash],
  );
  return rows[0] ?? { stopped: false, lang: null };
}

/** Adds a reason why an address gets no more mail, beside those there are. */
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

/**
 * Notes what became of a mail on its invitation, once. Answers the invitation's id where it was not known before. What
 * was opened has been delivered; what bounced has not, even if the receiving server had taken it at first.
 */
export async function setFate(
  db: Db,
  clientId: string,
  mailId: string,
  became: "delivered" | "bounced" | "opened" | "clicked",
  at: Date,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `update invitations set ${fates[became]}
      where client_id = $1 and mail_id = $2 and ${became}_at is null returning id`,
    [clientId, mailId, at],
  );
  return rows[0]?.id ?? null;
}

const fates = {
  delivered: "delivered_at = case when bounced_at is null then $3::timestamptz end",
  bounced: "bounced_at = $3, delivered_at = null",
  opened: "opened_at = $3, delivered_at = coalesce(delivered_at, $3)",
  clicked: "clicked_at = $3, delivered_at = coalesce(delivered_at, $3)",
};

export async function deleteOptOut(db: Db, clientId: string, emailHash: string): Promise<void> {
  await db.query(
    "delete from suppressions where client_id = $1 and email_hash = $2 and reason in ('opt_out', 'complaint')",
    [clientId, emailHash],
  );
}
