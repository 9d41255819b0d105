import { type ClosedOrder, groupByReturns, groupByValue } from "@/lib/honesty/bias/closed-orders";
import {
  type BiasFinding,
  continueFinding,
  type Groups,
  type InvitationQuestion,
  isLowMore,
  lookBefore,
  WINDOW_DAYS,
} from "@/lib/honesty/bias/find-bias";
import { daysOpenSql } from "@/lib/invitations/withheld-sql";
import { type Db, pool } from "@/lib/platform/db/pool";

/** Reviews whose authors are compared, and delivered items, the newest: bounds what a look reads. */
const MAX_REVIEWS = 20_000;
const MAX_ITEMS = 20_000;

/** `notCompared`: excluded orders that don't count, since what was returned isn't known. */
export type InvitationBias = { findings: BiasFinding[]; notCompared: number };

/**
 * Whether customers are invited to review their orders less or more often if they once gave one or two stars instead of
 * four or five (`invited`), by what the order is worth (`invited_value`: the least valuable quarter is `low`), and if
 * something was returned (`invited_returns`: that is `low`). Orders with returns are left to that question, and without
 * `returned` they don't count: the store may have excluded them for it. An exclusion until the day of delivery is taken for a
 * cancellation, and whether a later one leaves out anything depends on the delivery and the queue. So a finding must also
 * hold if all exclusions count. A log has no customers, so this is from the store's orders, and `known` is what earlier looks
 * found.
 */
export async function findInvitationBias(
  clientId: string,
  known: readonly BiasFinding[],
  asOf: Date,
): Promise<InvitationBias> {
  const at = lookBefore(asOf.getTime());
  const look = new Date(at);
  const withheld = await countWithheldOrders(pool(), clientId, look);
  // A store that excludes nothing treats all alike.
  if (withheld.count === 0) return { findings: [], notCompared: 0 };
  const find = async (allCount: boolean) => {
    const orders = await selectFirstOrders(pool(), clientId, look, { allCount });
    const found: Record<InvitationQuestion, Groups> = {
      invited: await selectInvited(clientId, look, { allCount }),
      invited_value: groupByValue(orders),
      invited_returns: groupByReturns(orders),
    };
    return (Object.keys(found) as InvitationQuestion[]).flatMap((question) =>
      continueFinding(question, found[question], known, at),
    );
  };
  const likely = await find(false);
  const ifAllCount = likely.length > 0 ? await find(true) : [];
  const findings = likely.filter((finding) =>
    ifAllCount.some((other) => other.question === finding.question && isLowMore(other) === isLowMore(finding)),
  );
  return { findings, notCompared: withheld.unknown };
}

/** Of the store ($1): the first and the last delivery of a look ($2). They are final, and it is recorded what it withheld. */
const daysSql = `(select greatest(e.first_delivery, $2::date - ${daysOpenSql("c")} - ${WINDOW_DAYS}) as first,
                         least(e.last_delivery, $2::date - 1 - ${daysOpenSql("c")}) as last
                    from clients c join recorded_exclusions e on e.client_id = c.id where c.id = $1)`;

/**
 * Of an order, `asked`: whether the store let one item of it be asked about, selected at random of those delivered in these days
 * (`d`) that were asked about, or could have been (`withheld` isn't null), without canceled ones. Any item instead would make it
 * depend on how many items an order has. Null without such an item. If all exclusions count, so do canceled items, and excluded
 * ones without a day of delivery, by the day of the order; and the store let none be asked about that it excludes by now, or
 * paused late. `returned`: whether anything of the order was. Items that an email asked
 * about on behalf of the store don't count, since the rules left them out, nor those without a name outside the catalog,
 * nor what is deleted by now: of that, only what was asked about early would count.
 */
const orderOutcome = (order: { id: string; createdAt: string }, allCount: string) => `
                select bool_or(t.returned) as returned,
                       (array_agg((t.asked or not t.withheld) and not (${allCount} and (t.reviewable_set is false or t.withheld_late)) order by md5(t.order_id || ' ' || t.id))
                          filter (where (t.asked or t.withheld is not null or t.delivery_date is null)
                            and coalesce(t.delivery_date, case when ${allCount} and t.reviewable_set is false then ${order.createdAt}::date end) between d.first and d.last
                            and (t.asked or not t.canceled or ${allCount})
                            and (t.name is not null or p.id is not null) and p.deleted is not true
                            and not exists (
                              select from invitation_items ii join invitations n on n.client_id = $1 and n.id = ii.invitation_id
                               where ii.client_id = $1 and ii.order_id = t.order_id and ii.item_id = t.id and n.kind = 'seller')))[1] as asked
                  from order_items t left join products p on p.client_id = $1 and p.id = t.id
                 where t.client_id = $1 and t.order_id = ${order.id}`;

/**
 * The orders with one of the items withheld last: all, and the excluded ones of which it isn't known whether something was
 * returned.
 */
export async function countWithheldOrders(
  db: Db,
  clientId: string,
  look: Date,
): Promise<{ count: number; unknown: number }> {
  const { rows } = await db.query<{ count: number; unknown: number }>({
    name: "withheld-orders",
    text: `select count(*)::int as count, (count(*) filter (where i.returned is null and not i.asked))::int as unknown
             from ${daysSql} d
            cross join lateral (
                select distinct newest.order_id from (
                  select t.order_id from order_items t
                   where t.client_id = $1 and t.withheld and t.delivery_date between d.first and d.last
                   order by t.delivery_date desc, t.order_id desc limit ${MAX_ITEMS}) newest) w
            cross join lateral (${orderOutcome({ id: "w.order_id", createdAt: "null" }, "false")}) i`,
    values: [clientId, look],
  });
  return rows[0] as { count: number; unknown: number };
}

/**
 * By person, which is all customer ids with the address: the first order that counts and comes after a product review, and the
 * last review before it. The first, since an order that is asked about keeps the next ones from being asked about.
 */
async function selectInvited(clientId: string, look: Date, { allCount }: { allCount: boolean }): Promise<Groups> {
  const { rows } = await pool().query<{ is_low: boolean; reviews: number; count: number }>({
    name: "invited-by-stars",
    text: `select o.score <= 2 as is_low, count(*)::int as reviews, (count(*) filter (where o.asked))::int as count
             from (select distinct coalesce(newest.email_key, u.email_key) as email_key from (
                     select email_key, customer_id from reviews where client_id = $1 and created_at < $2
                      order by created_at desc, id desc limit ${MAX_REVIEWS}) newest
                     left join customers u on u.client_id = $1 and u.id = newest.customer_id) person
            cross join ${daysSql} d
            cross join lateral (
                select i.asked, r.score from customers u
                  join orders o on o.client_id = $1 and o.customer_id = u.id
                 cross join lateral (${orderOutcome({ id: "o.id", createdAt: "o.created_at" }, "$3")}) i
                 cross join lateral (
                    select v.score from (
                      select score, created_at, id from reviews where client_id = $1 and email_key = person.email_key
                      union all
                      select r.score, r.created_at, r.id from customers u join reviews r on r.client_id = $1 and r.customer_id = u.id
                       where u.client_id = $1 and u.email_key = person.email_key) v
                     where v.created_at < o.created_at order by v.created_at desc, v.id desc limit 1) r
                 where u.client_id = $1 and u.email_key = person.email_key and i.returned is false and i.asked is not null
                 order by o.created_at, o.id limit 1) o
            where o.score <> 3
            group by 1`,
    values: [clientId, look, allCount],
  });
  const group = (isLow: boolean) => {
    const { reviews = 0, count = 0 } = rows.find(({ is_low }) => is_low === isLow) ?? {};
    return { reviews, count, median: null };
  };
  return { low: group(true), high: group(false) };
}

/** The newest items delivered in a look's days. Each kind has an index, read backward up to the limit. */
const newestItems = (kind: string) => `
               (select order_id, delivery_date from order_items
                 where client_id = $1 and ${kind} and delivery_date between (select first from days) and (select last from days)
                 order by delivery_date desc, order_id desc limit $3)`;

/**
 * By person, the first order without returns whose value is known, and the first one of all, with null for what another order
 * says: one each, since orders of one person aren't independent. Of orders with the `maxItems` items delivered last; if all
 * exclusions count, also of those of the same days with an excluded item without a day.
 */
export async function selectFirstOrders(
  db: Db,
  clientId: string,
  look: Date,
  { allCount = false, maxItems = MAX_ITEMS } = {},
): Promise<ClosedOrder[]> {
  // The limits of 1 have each row found by its key, instead of reading whole tables for a join.
  const { rows } = await db.query<ClosedOrder>({
    name: "closed-orders",
    text: `with days as ${daysSql},
           newest as (
             select order_id, delivery_date from (
               ${newestItems("reviewable")} union all ${newestItems("not reviewable and reviewable_set is false")}) i
              order by delivery_date desc, order_id desc limit $3),
           undated as (
             select o.id as order_id from orders o
              where $4 and o.client_id = $1
                and o.created_at >= (select min(delivery_date) from newest) and o.created_at < (select last + 1 from days)
                and exists (select from order_items t
                             where t.client_id = $1 and t.order_id = o.id and t.reviewable_set is false and t.delivery_date is null)
              order by o.created_at desc limit $3),
           described as (
             select c.order_id, o.created_at, coalesce(u.email_key, u.id) as person, case when i.returned is false then o.value end as value, i.returned, i.asked
               from (select order_id from newest union select order_id from undated) c
              cross join days d
              cross join lateral (
                select created_at, customer_id, value::float8 as value from orders where client_id = $1 and id = c.order_id limit 1) o
              cross join lateral (
                select id, email_key from customers where client_id = $1 and id = o.customer_id limit 1) u
              cross join lateral (${orderOutcome({ id: "c.order_id", createdAt: "o.created_at" }, "$4")}) i
              where i.returned is not null and i.asked is not null),
           ranked as (
             select value, returned, asked,
                    row_number() over (partition by person order by value is null, created_at, order_id) as nth_valued,
                    row_number() over (partition by person order by created_at, order_id) as nth_known
               from described)
           select case when nth_valued = 1 then value end as value, case when nth_known = 1 then returned end as returned, asked
             from ranked where nth_valued = 1 or nth_known = 1`,
    values: [clientId, look, maxItems, allCount],
  });
  return rows;
}
