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
import { type Db, pool } from "@/lib/platform/db/pool";

/** Reviews whose authors are compared, and delivered items, the newest: bounds what a look reads. */
const MAX_REVIEWS = 20_000;
const MAX_ITEMS = 20_000;

/**
 * Whether customers are invited to review their orders less or more often if they once gave one or two stars instead of
 * four or five (`invited`), by what the order is worth (`invited_value`: the least valuable quarter is `low`), and if
 * something was returned (`invited_returns`: that is `low`). A log has no customers, so this is from the store's orders,
 * and `known` is what earlier looks found.
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

/** Items `i` that a store `s` could ask about, and no longer can at a look ($2): of the days that the look is about. */
const closedItems = `(i.reviewable or i.reviewable_set is false)
                   and i.delivery_date < $2::date - s.send_emails_before_days
                   and i.delivery_date >= $2::date - s.send_emails_before_days - ${WINDOW_DAYS}`;

/** Customers `u` who opted out, or whose address doesn't work, can't be invited. Exclusions by the store count. */
const isReachable = `not exists (
                select from suppressions x where x.client_id = $1 and x.email_hash = u.email_hash
                   and x.reason in ('opt_out', 'bounce', 'complaint'))`;

/** By customer: the last order whose items could no longer be asked about, and the last product review before it. */
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
                select o.created_at, bool_or(i.asked) as asked
                  from orders o join order_items i on i.client_id = $1 and i.order_id = o.id
                 where o.client_id = $1 and o.customer_id = c.customer_id and ${closedItems}
                 group by o.id, o.created_at order by o.created_at desc, o.id limit 1) o
            cross join lateral (
                select score from reviews
                 where client_id = $1 and customer_id = c.customer_id and created_at < o.created_at
                 order by created_at desc, id desc limit 1) r
            where r.score <> 3 and ${isReachable}
            group by 1`,
    values: [clientId, look],
  });
  const group = (isLow: boolean) => {
    const { reviews = 0, count = 0 } = rows.find(({ is_low }) => is_low === isLow) ?? {};
    return { reviews, count, median: null };
  };
  return { low: group(true), high: group(false) };
}

/** The newest items that the store could have asked about. Each kind has an index, read backward up to the limit. */
const newestItems = (kind: string) => `
               (select order_id, delivery_date from order_items
                 where client_id = $1 and ${kind} and delivery_date < $2::date - (select last_days from store)
                   and delivery_date >= $2::date - (select last_days from store) - ${WINDOW_DAYS}
                 order by delivery_date desc, order_id desc limit $3)`;

/**
 * By person, the last order whose value is known, and the last one whose returns are, with null for what another order says:
 * one each, since orders of one person aren't independent. Of orders with the `maxItems` items delivered last.
 */
export async function selectLastOrders(
  db: Db,
  clientId: string,
  look: Date,
  maxItems = MAX_ITEMS,
): Promise<ClosedOrder[]> {
  // Who orders often would be invited to fewer: orders that the cooldown kept from being asked about say nothing.
  // The limits of 1 have each row found by its key, instead of reading whole tables for a join.
  const { rows } = await db.query<ClosedOrder>({
    name: "closed-orders",
    text: `with store as (
             select send_emails_before_days as last_days, coalesce(quarantine_period, ${DEFAULT_QUARANTINE_DAYS}) as cooldown
               from clients where id = $1),
           newest as (
             select order_id, delivery_date from (
               ${newestItems("reviewable")} union all ${newestItems("not reviewable and reviewable_set is false")}) i
              order by delivery_date desc, order_id desc limit $3),
           closed as (
             select order_id, max(delivery_date) + (select last_days from store) as last_day from newest group by order_id),
           described as (
             select c.order_id, o.created_at, u.email_key, o.value, i.returned, i.asked
               from closed c
              cross join lateral (
                select created_at, customer_id, value::float8 as value from orders where client_id = $1 and id = c.order_id limit 1) o
              cross join lateral (
                select email_key, email_hash from customers where client_id = $1 and id = o.customer_id limit 1) u
              cross join lateral (
                select bool_or(returned) as returned, bool_or(asked) as asked
                  from order_items where client_id = $1 and order_id = c.order_id) i
              where u.email_key is not null and ${isReachable}
                and (o.value is not null or i.returned is not null)
                and (i.asked or not exists (
                  select from invitations n where n.client_id = $1 and n.email_key = u.email_key and n.status = 'sent'
                     and n.day > c.last_day - (select cooldown from store) and n.day <= c.last_day))),
           ranked as (
             select value, returned, asked,
                    row_number() over (partition by email_key order by value is null, created_at desc, order_id) as nth_valued,
                    row_number() over (partition by email_key order by returned is null, created_at desc, order_id) as nth_known
               from described)
           select case when nth_valued = 1 then value end as value, case when nth_known = 1 then returned end as returned, asked
             from ranked where nth_valued = 1 or nth_known = 1`,
    values: [clientId, look, maxItems],
  });
  return rows;
}
