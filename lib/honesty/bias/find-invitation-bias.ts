import { DEFAULT_QUARANTINE_DAYS } from "@/lib/accounts/stores/rules";
import { type ClosedOrder, groupByReturns, groupByValue } from "@/lib/honesty/bias/closed-orders";
import {
  type BiasFinding,
  continueFinding,
  type Groups,
  type InvitationQuestion,
  lookBefore,
  WINDOW_DAYS,
} from "@/lib/honesty/bias/find-bias";
import { hasReviewedSql } from "@/lib/invitations/due-sql";
import { REVIEW_INTERVAL_DAYS } from "@/lib/invitations/rules";
import { type Db, pool } from "@/lib/platform/db/pool";

/** Reviews whose authors are compared, and delivered items, the newest: bounds what a look reads. */
const MAX_REVIEWS = 20_000;
const MAX_ITEMS = 20_000;

/**
 * Whether customers are invited to review their orders less or more often if they once gave one or two stars instead of
 * four or five (`invited`), by what the order is worth (`invited_value`: the least valuable quarter is `low`), and if
 * something was returned (`invited_returns`: that is `low`). Orders with returns are left to that question, and without
 * `returned` they don't count: the store may have excluded them for it. A log has no customers, so this is from the store's
 * orders, and `known` is what earlier looks found.
 */
export async function findInvitationBias(
  clientId: string,
  known: readonly BiasFinding[],
  asOf: Date,
): Promise<BiasFinding[]> {
  const look = lookBefore(asOf.getTime());
  const orders = await selectLastOrders(pool(), clientId, new Date(look));
  const found: Record<InvitationQuestion, Groups> = {
    invited: await selectInvited(clientId, new Date(look)),
    invited_value: groupByValue(orders),
    invited_returns: groupByReturns(orders),
  };
  return (Object.keys(found) as InvitationQuestion[]).flatMap((question) =>
    continueFinding(question, found[question], known, look),
  );
}

/** Days after a delivery from which on nothing is taken to change, however long a store could still ask. */
const MAX_DAYS = 90;
const lastDays = (store: string) => `least(${store}.send_emails_before_days, ${MAX_DAYS})`;

/** An item that the store `s` excluded, or paused for as long as it could have asked. */
const isExcluded = `(reviewable_set is false or held_at is not null and coalesce(held_until > delivery_date + ${lastDays("s")}, true))`;

/** The person `u` of an item `t` had reviewed it too lately to be asked on any of its days. */
const wasReviewed = hasReviewedSql(
  "$1",
  "u.email_key",
  "t.id",
  `v.date > t.delivery_date + ${lastDays("s")} - ${REVIEW_INTERVAL_DAYS} and v.date <= t.delivery_date + s.send_emails_after_days`,
);

/** An item that couldn't be asked about anyway: its product is deleted, or was reviewed. */
const isLeftOut = `(exists (select from products p where p.client_id = $1 and p.id = t.id and p.deleted) or ${wasReviewed})`;

/**
 * What became of an order: `asked`: about an item; `excluded`: the store excluded all of its delivered items. Neither, if
 * they can't be asked about for another reason, such as a review of the product: that isn't the store's doing.
 * It could be asked about from `first_day` to `last_day`.
 */
const orderOutcome = (orderId: string) => `
                select bool_or(returned) as returned, bool_or(asked) as asked, bool_and(${isExcluded}) filter (where was_due) as excluded,
                       min(delivery_date) filter (where was_due) + s.send_emails_after_days as first_day,
                       max(delivery_date) filter (where was_due) + ${lastDays("s")} as last_day
                  from (select t.*, t.delivery_date <= $2::date and (
                            t.asked or (t.reviewable or t.reviewable_set is false) and not (${isExcluded} and ${isLeftOut})) as was_due
                          from order_items t where t.client_id = $1 and t.order_id = ${orderId}) own`;

/** People `u` without an address, who had opted out, or whose address didn't work, couldn't be invited. */
const isReachable = `u.email_key is not null
                and not exists (select from customers c where c.client_id = $1 and c.email_key = u.email_key and c.opt_out_by_order)
                and not exists (select from suppressions x where x.client_id = $1 and x.email_hash = u.email_hash and x.created_at < i.last_day)`;

/**
 * Conditions for an order `o` of a person `u` at a store `s` with the outcome `i`: it is final at a look ($2) and of the days
 * that the look is about, and the order was invited, or would have been if the store hadn't excluded it. It wouldn't if it
 * came too late, or in the cooldown of an email that was too early to ask about it.
 */
const counts = `i.last_day < $2::date and i.last_day >= $2::date - ${WINDOW_DAYS}
                and (i.asked or i.excluded and ${isReachable} and o.created_at < i.last_day and not exists (
                  select from invitations n where n.client_id = $1 and n.email_key = u.email_key and n.status = 'sent'
                     and (n.day < i.first_day or n.created_at < o.created_at)
                     and n.day + coalesce(s.quarantine_period, ${DEFAULT_QUARANTINE_DAYS}) > i.last_day))`;

/** By customer: the last order that counts, and the last product review before it. */
async function selectInvited(clientId: string, look: Date): Promise<Groups> {
  const { rows } = await pool().query<{ is_low: boolean; reviews: number; count: number }>({
    name: "invited-by-stars",
    text: `select r.score <= 2 as is_low, count(*)::int as reviews, (count(*) filter (where o.asked))::int as count
             from (select distinct customer_id from (
                     select customer_id from reviews where client_id = $1 and created_at < $2
                      order by created_at desc, id desc limit ${MAX_REVIEWS}) newest
                    where customer_id is not null) c
             join customers u on u.client_id = $1 and u.id = c.customer_id
             join clients s on s.id = $1
            cross join lateral (
                select o.created_at, i.asked from orders o cross join lateral (${orderOutcome("o.id")}) i
                 where o.client_id = $1 and o.customer_id = c.customer_id and i.returned is false and ${counts}
                 order by o.created_at desc, o.id limit 1) o
            cross join lateral (
                select score from reviews
                 where client_id = $1 and customer_id = c.customer_id and created_at < o.created_at
                 order by created_at desc, id desc limit 1) r
            where r.score <> 3
            group by 1`,
    values: [clientId, look],
  });
  const group = (isLow: boolean) => {
    const { reviews = 0, count = 0 } = rows.find(({ is_low }) => is_low === isLow) ?? {};
    return { reviews, count, median: null };
  };
  return { low: group(true), high: group(false) };
}

/** The newest items whose last day is in a look's days. Each kind has an index, read backward up to the limit. */
const newestItems = (kind: string) => `
               (select order_id, delivery_date from order_items
                 where client_id = $1 and ${kind} and delivery_date < $2::date - (select ${lastDays("store")} from store)
                   and delivery_date >= $2::date - (select ${lastDays("store")} from store) - ${WINDOW_DAYS}
                 order by delivery_date desc, order_id desc limit $3)`;

/**
 * By person, the last order without returns whose value is known, and the last one of all, with null for what another order
 * says: one each, since orders of one person aren't independent. Of orders with the `maxItems` items delivered last.
 */
export async function selectLastOrders(
  db: Db,
  clientId: string,
  look: Date,
  maxItems = MAX_ITEMS,
): Promise<ClosedOrder[]> {
  // The limits of 1 have each row found by its key, instead of reading whole tables for a join.
  const { rows } = await db.query<ClosedOrder>({
    name: "closed-orders",
    text: `with store as (
             select send_emails_after_days, send_emails_before_days, quarantine_period from clients where id = $1),
           newest as (
             select order_id from (
               ${newestItems("reviewable")} union all ${newestItems("not reviewable and reviewable_set is false")}) i
              order by delivery_date desc, order_id desc limit $3),
           described as (
             select c.order_id, o.created_at, coalesce(u.email_key, u.id) as person, case when i.returned is false then o.value end as value, i.returned, i.asked
               from (select distinct order_id from newest) c
              cross join store s
              cross join lateral (
                select created_at, customer_id, value::float8 as value from orders where client_id = $1 and id = c.order_id limit 1) o
              cross join lateral (
                select id, email_key, email_hash from customers where client_id = $1 and id = o.customer_id limit 1) u
              cross join lateral (${orderOutcome("c.order_id")}) i
              where i.returned is not null and ${counts}),
           ranked as (
             select value, returned, asked,
                    row_number() over (partition by person order by value is null, created_at desc, order_id) as nth_valued,
                    row_number() over (partition by person order by created_at desc, order_id) as nth_known
               from described)
           select case when nth_valued = 1 then value end as value, case when nth_known = 1 then returned end as returned, asked
             from ranked where nth_valued = 1 or nth_known = 1`,
    values: [clientId, look, maxItems],
  });
  return rows;
}
