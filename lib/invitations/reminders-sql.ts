import type { Day } from "@/lib/invitations/days";
import { isHeldOnSql } from "@/lib/invitations/due-sql";
import { REMINDER_WINDOW_DAYS, type SendRules } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";

/** A due reminder: its invitation and recipient. */
export type DueReminder = {
  reminder_of: string;
  customer_id: string | null;
  email: string;
  email_key: string;
  name: string | null;
  lang: string | null;
  hashes: string[];
  items: { order_id: string; item_id: string }[];
};

/** An item that may still be asked about: not cancelled, paused or deleted. */
const isInvitableSql = `oi.reviewable and not ${isHeldOnSql("$2::date")} and not coalesce(p.deleted, false)`;

/**
 * The person, by any customer id with their address, has reviewed one of the invitation's items, or the store, since it
 * was sent.
 */
const answered = (invitation: string) => `(${invitation}.reviewed_at is not null
  or exists (select from seller_reviews s where s.client_id = $1 and s.invitation_id = ${invitation}.id)
  or exists (select from invitation_items ii
       join reviews v on v.client_id = $1 and v.product_id = ii.item_id and v.created_at >= ${invitation}.sent_at
        and (v.email_key = ${invitation}.email_key or v.customer_id = ${invitation}.customer_id
             or v.customer_id in (select same.id from customers same
                  where same.client_id = $1 and same.email_key = ${invitation}.email_key))
      where ii.client_id = $1 and ii.invitation_id = ${invitation}.id))`;

/**
 * Invitations to remind of on `today`, longest wait first: sent `reminderDays` ago, unanswered, without a reminder, the
 * last email to their person, who isn't suppressed and whose cooldown is over. Their items must be delivered and in the
 * window as for an invitation, since some may be marked as not received. A delegated one only if it was accepted. With
 * an id, only that invitation.
 */
export async function selectDueReminders(
  db: Db,
  clientId: string,
  rules: SendRules,
  reminderDays: number,
  today: Day,
  limit: number,
  invitationId: string | null = null,
): Promise<DueReminder[]> {
  const { rows } = await db.query<DueReminder>(
    `select i.id as reminder_of, i.customer_id, i.email, i.email_key, i.name, i.lang, person.hashes, asked.items
       from invitations i
       cross join lateral (
         select json_agg(json_build_object('order_id', ii.order_id, 'item_id', ii.item_id) order by ii.position) as items,
                max(oi.delivery_date) as delivered
           from invitation_items ii
           join order_items oi on oi.client_id = $1 and oi.order_id = ii.order_id and oi.id = ii.item_id
           left join products p on p.client_id = $1 and p.id = ii.item_id
          where ii.client_id = $1 and ii.invitation_id = i.id and ${isInvitableSql}
            and (oi.delivery_date is null or oi.delivery_date + $7::int >= $2::date)) asked
       cross join lateral (
         select array_agg(c.id_hash) || max(c.email_hash) as hashes, bool_or(c.opt_out_by_order) as opted_out
           from customers c where c.client_id = $1 and c.email_key = i.email_key) person
      where i.client_id = $1 and ($8::text is null or i.id = $8) and i.kind = 'invitation' and i.status = 'sent' and i.reviewed_at is null
        and i.day between $2::date - $3::int - ${REMINDER_WINDOW_DAYS} and $2::date - $3::int
        and (i.handed_at is null or i.taken_at is not null)
        and i.bounced_at is null and i.email is not null and i.expires_at::date > $2::date
        and asked.items is not null and (asked.delivered is null or asked.delivered + $4::int <= $2::date)
        and person.hashes is not null and not person.opted_out
        and not exists (select from suppressions s where s.client_id = $1 and s.email_hash = any(person.hashes))
        and not exists (select from quarantines q
              where q.client_id = $1 and q.person_hash = any(person.hashes) and q.last_day + $5::int > $2::date)
        and not exists (select from invitations r where r.client_id = $1 and r.reminder_of = i.id)
        and not exists (select from invitations n where n.client_id = $1 and n.email_key = i.email_key
              and n.id <> i.id and n.status <> 'failed' and (n.day, n.id) > (i.day, i.id))
        and not ${answered("i")}
      order by i.day, i.id limit $6`,
    [clientId, today, reminderDays, rules.afterDays, rules.quarantineDays, limit, rules.beforeDays, invitationId],
  );
  return rows;
}

/** Inserts claimed reminders, each person's cooldown and the day's count. */
export async function insertReminders(
  db: Db,
  clientId: string,
  day: Day,
  at: Date,
  reminders: (DueReminder & { id: string })[],
): Promise<void> {
  await db.query(
    `with given as (
       select * from jsonb_to_recordset($4::jsonb)
         as g(id text, reminder_of text, customer_id text, email text, email_key text, name text, lang text, hashes text[])
     ), written as (
       insert into invitations (client_id, id, kind, reminder_of, customer_id, email, email_key, name, lang, status, day, claimed_at, created_at, updated_at)
       select $1, id, 'reminder', reminder_of, customer_id, email, email_key, name, lang, 'claimed', $2::date, $3, $3, $3 from given
       returning id
     ), counted as (
       insert into send_days as d (client_id, day, sent) select $1, $2::date, count(*) from written having count(*) > 0
       on conflict (client_id, day) do update set sent = d.sent + excluded.sent
     )
     insert into quarantines as q (client_id, person_hash, last_day)
     select distinct $1, h.hash, $2::date from given g cross join lateral unnest(g.hashes) as h(hash)
     on conflict (client_id, person_hash) do update set last_day = greatest(q.last_day, excluded.last_day), erased_until = null`,
    [clientId, day, at, JSON.stringify(reminders)],
  );
}

/** Whether a reminder's invitation has been answered. */
export async function isAnswered(db: Db, clientId: string, invitationId: string): Promise<boolean> {
  const { rows } = await db.query<{ answered: boolean }>(
    `select ${answered("i")} as answered from invitations i where i.client_id = $1 and i.id = $2`,
    [clientId, invitationId],
  );
  return rows[0]?.answered ?? true;
}
