import {
  type ClosedOrder,
  countAsked,
  type Outcome,
  remains,
  type Sides,
  splitByReturns,
  splitByValue,
} from "@/lib/honesty/bias/closed-orders";
import {
  type BiasFinding,
  continueFinding,
  type InvitationQuestion,
  invitationQuestions,
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
 * `returned` they don't count: the store may have excluded them for it. Nor do orders worth 0, such as samples and
 * replacements after a complaint. A log has no customers, so this is from the store's
 * orders, and `known` is what earlier looks found.
 *
 * An exclusion until the day of delivery is taken for a cancellation, and whether a later one leaves out anything depends on the
 * delivery and the queue. A customer may be invited for other items of the order. And what a store does for some weeks only
 * is about the customers of these weeks. So a finding must remain within the weeks if all exclusions count, by the first item of
 * each order as well as by any.
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
  const compare = async (allCount: boolean): Promise<Record<InvitationQuestion, Sides>> => {
    const orders = await selectFirstOrders(pool(), clientId, look, { allCount });
    return {
      invited: await selectInvited(clientId, look, { allCount }),
      invited_value: splitByValue(orders),
      invited_returns: splitByReturns(orders),
    };
  };
  const sides = await compare(false);
  const likely = invitationQuestions.flatMap((question) =>
    continueFinding(question, countAsked(sides[question]), known, at),
  );
  const ifAllCount = likely.length > 0 ? await compare(true) : sides;
  const findings = likely.filter((finding) => remains(finding, ifAllCount[finding.question as InvitationQuestion]));
  return { findings, notCompared: withheld.unknown };
}

/** Of the store ($1): the first and the last delivery of a look ($2). They are final, and it is recorded what it withheld. */
const daysSql = `(select greatest(e.first_delivery, $2::date - ${daysOpenSql("c")} - ${WINDOW_DAYS}) as first,
                         least(e.last_delivery, $2::date - 1 - ${daysOpenSql("c")}) as last
                    from clients c join recorded_exclusions e on e.client_id = c.id where c.id = $1)`;

/**
 * Of an order, `asked`: whether the store let it be asked about. Items count that were delivered in these days (`d`), and were
 * asked about, or could have been (`withheld` isn't null), without canceled ones. The one delivered first decides, or one of
 * those, selected at random. Null without such an item. `first_day` is the day of its delivery, `returned` whether anything
 * of the order was, and `any_asked` whether the store let any delivered item be asked about, also of those that don't count.
 *
 * If all exclusions count, so do canceled items, and excluded ones without a day of delivery, by the day of the order. Nothing
 * can be returned before a delivery. The store let none be asked about that it excludes by now, or paused late.
 *
 * Items that an email asked about on behalf of the store don't count, since the rules left them out, nor those without a name
 * outside the catalog, nor what is deleted by now: of that, only what was asked about early would count.
 */
const orderOutcome = (order: { id: string; createdAt: string }, allCount: string) => `
                select coalesce(bool_or(c.returned), case when ${allCount} and count(c.delivery_date) = 0 then false end) as returned,
                       (array_agg(c.day order by c.delivery_date, md5(c.order_id || ' ' || c.id)) filter (where c.counts))[1] as first_day,
                       (array_agg(c.asked order by c.delivery_date, md5(c.order_id || ' ' || c.id)) filter (where c.counts))[1] as asked,
                       bool_or(c.is_left) as any_asked
                  from (
                    select t.order_id, t.id, t.returned, t.delivery_date, i.day, i.asked,
                           not (t.reviewable_set is false or t.withheld_late or t.withheld is true and not t.asked)
                             and t.delivery_date is not null and (t.name is not null or p.id is not null) as is_left,
                           (t.asked or t.withheld is not null or t.delivery_date is null) and i.day between d.first and d.last
                             and (t.asked or not t.canceled or ${allCount})
                             and (t.name is not null or p.id is not null) and p.deleted is not true
                             and not exists (
                               select from invitation_items ii join invitations n on n.client_id = $1 and n.id = ii.invitation_id
                                where ii.client_id = $1 and ii.order_id = t.order_id and ii.item_id = t.id and n.kind = 'seller') as counts
                      from order_items t left join products p on p.client_id = $1 and p.id = t.id
                     cross join lateral (
                       select coalesce(t.delivery_date, case when ${allCount} and t.reviewable_set is false then ${order.createdAt}::date end) as day,
                              (t.asked or not t.withheld) and not (${allCount} and (t.reviewable_set is false or t.withheld_late)) as asked) i
                     where t.client_id = $1 and t.order_id = ${order.id}) c`;

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
 * By person, which is all customer ids with the address: of the orders that count and come after a product review, the one
 * delivered first, and the last review before it. The first, since an order that is asked about keeps the next ones from being asked about.
 */
async function selectInvited(clientId: string, look: Date, { allCount }: { allCount: boolean }): Promise<Sides> {
  const { rows } = await pool().query<Outcome & { is_low: boolean }>({
    name: "invited-by-stars",
    text: `select o.score <= 2 as is_low, o.asked, o.any_asked as "anyAsked", date_trunc('week', o.first_day)::date as week
             from (select distinct coalesce(newest.email_key, u.email_key) as email_key from (
                     select email_key, customer_id from reviews where client_id = $1 and created_at < $2
                      order by created_at desc, id desc limit ${MAX_REVIEWS}) newest
                     left join customers u on u.client_id = $1 and u.id = newest.customer_id) person
            cross join ${daysSql} d
            cross join lateral (
                select i.asked, i.any_asked, i.first_day, r.score from customers u
                  join orders o on o.client_id = $1 and o.customer_id = u.id
                 cross join lateral (${orderOutcome({ id: "o.id", createdAt: "o.created_at" }, "$3")}) i
                 cross join lateral (
                    select v.score from (
                      select score, created_at, id from reviews where client_id = $1 and email_key = person.email_key
                      union all
                      select r.score, r.created_at, r.id from customers u join reviews r on r.client_id = $1 and r.customer_id = u.id
                       where u.client_id = $1 and u.email_key = person.email_key) v
                     where v.created_at < o.created_at order by v.created_at desc, v.id desc limit 1) r
                 where u.client_id = $1 and u.email_key = person.email_key and i.returned is false and i.asked is not null and o.value is distinct from 0
                 order by i.first_day, o.created_at, o.id limit 1) o
            where o.score <> 3`,
    values: [clientId, look, allCount],
  });
  return { low: rows.filter(({ is_low }) => is_low), high: rows.filter(({ is_low }) => !is_low) };
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
              order by o.created_at desc, o.id desc limit $3),
           described as (
             select c.order_id, o.created_at, coalesce(u.email_key, u.id) as person,
                    case when i.returned is false then o.value end as value, i.returned, i.asked, i.any_asked, i.first_day
               from (select order_id from newest union select order_id from undated) c
              cross join days d
              cross join lateral (
                select created_at, customer_id, value::float8 as value from orders where client_id = $1 and id = c.order_id limit 1) o
              cross join lateral (
                select id, email_key from customers where client_id = $1 and id = o.customer_id limit 1) u
              cross join lateral (${orderOutcome({ id: "c.order_id", createdAt: "o.created_at" }, "$4")}) i
              where i.returned is not null and i.asked is not null and o.value is distinct from 0),
           ranked as (
             select value, returned, asked, any_asked, date_trunc('week', first_day)::date as week,
                    row_number() over (partition by person order by value is null, first_day, created_at, order_id) as nth_valued,
                    row_number() over (partition by person order by first_day, created_at, order_id) as nth_known
               from described)
           select case when nth_valued = 1 then value end as value, case when nth_known = 1 then returned end as returned,
                  asked, any_asked as "anyAsked", week
             from ranked where nth_valued = 1 or nth_known = 1`,
    values: [clientId, look, maxItems, allCount],
  });
  return rows;
}
