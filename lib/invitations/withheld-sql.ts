import type { Day } from "@/lib/invitations/days";
import { canBeAskedSql, isHeldOnSql } from "@/lib/invitations/due-sql";
import type { SendRules } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";

/** Days after a delivery from which on an exclusion is final, however long the store could still ask. */
const MAX_DAYS_OPEN = 90;

/** Days after a delivery until when an exclusion counts: the last on which an email may ask, at most 90 days later. */
export const daysOpen = ({ afterDays, beforeDays }: SendRules): number =>
  Math.min(beforeDays, Math.max(MAX_DAYS_OPEN, afterDays));

/** The same in SQL, of a row of `clients`. */
export const daysOpenSql = (client: string): string =>
  `least(${client}.send_emails_before_days, greatest(${MAX_DAYS_OPEN}, ${client}.send_emails_after_days))`;

const firstDay = "(oi.delivery_date + $4::int)";
const lastDay = "(oi.delivery_date + $5::int)";
/** Of an invitation `n`: it asks about all items that are due, unlike a reminder. Only if none is, it asks about the store. */
const asksForAll = "n.client_id = $1 and n.status = 'sent' and n.kind <> 'reminder'";

/**
 * Marks the items delivered on these days that weren't asked about until their last day, though no rule left them out and the
 * store sent emails in their days. They are withheld if the store had them excluded or paused from before the first day to ask
 * about them until the last one. The others aren't: the daily limit kept them from being asked about, no run came, or the
 * store excluded them later: without the wait, they would have been asked about. Earlier marks of items that have another
 * day of delivery since are decided again. An invitation in the window would have asked about the item. Otherwise, the
 * cooldown of an email until the last day is a rule that left it out.
 */
export async function markWithheld(
  db: Db,
  clientId: string,
  rules: SendRules,
  deliveries: { first: Day; last: Day },
): Promise<void> {
  // Excluded items and marks are named as their indexes have them.
  await db.query({
    text: `with found as (
             select oi.client_id, oi.order_id, oi.id, (not oi.reviewable or ${isHeldOnSql(lastDay)}) and not oi.withheld_late as withheld
               from order_items oi
               join orders o on o.client_id = oi.client_id and o.id = oi.order_id
               join customers c on c.client_id = o.client_id and c.id = o.customer_id
               left join products p on p.client_id = oi.client_id and p.id = oi.id
              where ${canBeAskedSql("$1", lastDay, ["$2::date", "$3::date"])}
                and (oi.reviewable or not oi.reviewable and oi.reviewable_set is false)
                and (oi.name is not null or p.id is not null)
                and o.created_at < ${lastDay}
                and exists (select from invitations n where ${asksForAll} and n.day between ${firstDay} and ${lastDay})
                and (
                  exists (select from invitations n
                           where ${asksForAll} and n.email_key = c.email_key and n.day between ${firstDay} and ${lastDay} and n.created_at >= o.created_at)
                  or not exists (select from invitations n
                           where n.client_id = $1 and n.status = 'sent' and n.email_key = c.email_key
                             and n.day <= ${lastDay} and n.day + $6::int > ${lastDay}))),
           marked as (
             select client_id, order_id, id, withheld from order_items
              where client_id = $1 and withheld = any('{true,false}') and delivery_date between $2::date and $3::date),
           changed as (
             select i.client_id, i.order_id, i.id, f.withheld
               from found f full join marked m using (client_id, order_id, id)
               join order_items i using (client_id, order_id, id)
              where f.withheld is distinct from m.withheld
              order by i.client_id, i.order_id, i.id for no key update of i)
           update order_items i set withheld = c.withheld
             from changed c where i.client_id = c.client_id and i.order_id = c.order_id and i.id = c.id`,
    values: [clientId, deliveries.first, deliveries.last, rules.afterDays, daysOpen(rules), rules.quarantineDays],
  });
}

/** The deliveries of which it is recorded what a store withheld: from one day to another. */
export type RecordedDeliveries = { first: Day; last: Day };

export async function selectRecordedDeliveries(db: Db, clientId: string): Promise<RecordedDeliveries | undefined> {
  const { rows } = await db.query<RecordedDeliveries>({
    name: "recorded-exclusions",
    text: "select first_delivery as first, last_delivery as last from recorded_exclusions where client_id = $1",
    values: [clientId],
  });
  return rows[0];
}

export async function saveRecordedDeliveries(
  db: Db,
  clientId: string,
  { first, last }: RecordedDeliveries,
): Promise<void> {
  await db.query(
    `insert into recorded_exclusions (client_id, first_delivery, last_delivery) values ($1, $2, $3)
     on conflict (client_id) do update set last_delivery = excluded.last_delivery`,
    [clientId, first, last],
  );
}
