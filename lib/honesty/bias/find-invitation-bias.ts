import { type ClosedOrder, groupByReturns, groupByValue } from "@/lib/honesty/bias/closed-orders";
import {
  type BiasFinding,
  continueFinding,
  type Groups,
  type InvitationQuestion,
  lookBefore,
  WINDOW_DAYS,
} from "@/lib/honesty/bias/find-bias";
import { pool } from "@/lib/platform/db/pool";

/** Reviews whose authors are compared, and orders, the newest: bounds what a look reads. */
const MAX_REVIEWS = 20_000;
const MAX_ORDERS = 20_000;

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
  const found: Record<InvitationQuestion, Groups> = {
    invited: await selectInvited(clientId, new Date(look)),
    invited_value: groupByValue(await selectLastOrders(clientId, new Date(look), "value")),
    invited_returns: groupByReturns(await selectLastOrders(clientId, new Date(look), "returned")),
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

/**
 * By person, the last order whose value, or returns, are known: one each, since orders of one person aren't independent.
 * Those that couldn't be asked about because of the cooldown say nothing: who orders often would be invited to fewer.
 */
async function selectLastOrders(clientId: string, look: Date, known: "value" | "returned"): Promise<ClosedOrder[]> {
  const { rows } = await pool().query<ClosedOrder>({
    name: `closed-orders-${known}`,
    text: `with closed as (
             select i.order_id, bool_or(i.asked) as asked, max(i.delivery_date) + s.send_emails_before_days as last_day,
                    coalesce(s.quarantine_period, 21) as cooldown
               from clients s join order_items i on i.client_id = $1 and ${closedItems}
              where s.id = $1 group by i.order_id, s.send_emails_before_days, s.quarantine_period),
           described as (
             select c.*, o.created_at, u.email_key, o.value::float8 as value,
                    (select bool_or(returned) from order_items where client_id = $1 and order_id = o.id) as returned
               from closed c
               join orders o on o.client_id = $1 and o.id = c.order_id
               join customers u on u.client_id = $1 and u.id = o.customer_id
              where u.email_key is not null and ${isReachable}),
           last as (
             select distinct on (email_key) * from described d
              where ${known} is not null
                and (asked or not exists (
                  select from invitations n where n.client_id = $1 and n.email_key = d.email_key and n.status = 'sent'
                     and n.day > d.last_day - d.cooldown and n.day <= d.last_day))
              order by email_key, created_at desc, order_id)
           select value, returned, asked from last order by created_at desc, order_id limit ${MAX_ORDERS}`,
    values: [clientId, look],
  });
  return rows;
}
