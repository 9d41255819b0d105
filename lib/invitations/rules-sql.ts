import type { Day } from "@/lib/invitations/days";
import { isDueSql } from "@/lib/invitations/due-sql";
import {
  type HeldReason,
  type ItemFacts,
  MERGE_DAYS,
  type NotInvitedReason,
  type PersonFacts,
  REVIEW_INTERVAL_DAYS,
  type SendRules,
} from "@/lib/invitations/rules";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import type { Db } from "@/lib/platform/db/pool";

/** The orders of the client ($1) with an item delivered on some days. A scan for each of the indexes by delivery date. */
export const deliveredSql = (days: string, columns = "order_id") =>
  [
    "reviewable",
    "not reviewable and reviewable_set is distinct from false",
    "reviewable_set is false and not reviewable",
  ]
    .map((which) => `select ${columns} from order_items where client_id = $1 and ${which} and delivery_date ${days}`)
    .join(" union all ");

// The rules of rules.ts over whole tables. $1 client, $2 today, $3 after, $4 before, $5 quarantine, $6 limit a day. The
// preview of the next run reads every item. A run has two steps: first it selects people with a due item, oldest
// delivery first, by anti-joins that PostgreSQL can plan freely; then it evaluates those who may get an email today
// exactly ($7: people). An order ($7) is evaluated with all items of its person, which may wait for each other. For
// several orders ($7), each item is evaluated on its own, as are those whose window closes that day. Data per person comes from window functions, never from joins
// between steps: PostgreSQL's planner can't estimate the row counts, and a nested loop takes hours instead of seconds.
const itemScopes = {
  everything: "",
  order: `and (oi.order_id = $7 or oi.order_id = any(array(
       select fellow.id from orders named
         join customers known on known.client_id = $1 and known.id = named.customer_id
         join customers same on same.client_id = $1 and same.email_key = known.email_key
         join orders fellow on fellow.client_id = $1 and fellow.customer_id = same.id
        where named.client_id = $1 and named.id = $7)))`,
  orders: "and oi.order_id = any($7::text[])",
  closing: `and oi.delivery_date = $2::date - $4::int and oi.order_id = any(array(${deliveredSql("= $2::date - $4::int")}))`,
  // Of items not due yet, only those an email would wait for.
  people: `and oi.order_id = any(array(
       select fellow.id from customers same join orders fellow on fellow.client_id = $1 and fellow.customer_id = same.id
        where same.client_id = $1 and same.email_key = any($7::text[])))
     and c.email_key = any($7::text[]) and oi.reviewable and ii.invitation_id is null
     and oi.delivery_date between $2::date - $4::int and $2::date - $3::int + ${MERGE_DAYS}`,
};

/**
 * Emails that already count for the day ($1 client, $2 day, $3 after, $4 before): those sent or claimed, and earlier
 * ones, which go before new claims. An email by Candor that may have been sent counts for its own day; a delegated one
 * counts by `hasPriority`, with the window of `recheckItems`.
 */
const usedCapacity = `(coalesce((select sent from send_days where client_id = $1 and day = $2::date), 0) + (
    select count(*) from invitations n left join mails m on m.id = n.mail_id
     where n.client_id = $1 and n.status = 'claimed' and n.day < $2::date and n.email is not null
       and coalesce(m.doubtful_since, m.handed_at) is null) + (
    select count(*) from invitations n
     where n.client_id = $1 and n.handed_at is not null and n.taken_at is null and n.day < $2::date and n.email is not null
       and n.id = any(array(
         select d.subject from webhooks h
           join webhook_deliveries d on d.client_id = h.client_id and d.webhook_id = h.id
          where h.client_id = $1 and h.paused_at is null and h.disabled_at is null
            and d.state = 'pending' and d.event = '${DELEGATED_EVENT}'))
       and exists (
         select from invitation_items ii
           join order_items oi on oi.client_id = ii.client_id and oi.order_id = ii.order_id and oi.id = ii.item_id
          where ii.client_id = $1 and ii.invitation_id = coalesce(n.reminder_of, n.id)
            and (oi.delivery_date is null or oi.delivery_date
                 between $2::date - $4::int and $2::date - case when n.by_hand then 0 else $3::int end))))`;

const decisionsQuery = (reads: keyof typeof itemScopes) => `
with base as (
  -- A person is every customer id with the address, so opt-outs, emails and reviews of any of them apply to all.
  select oi.order_id, oi.id as item_id, oi.delivery_date, oi.reviewable, oi.held_at is not null and oi.held_until is null as held,
         case when oi.held_at is not null then oi.held_until end as held_until,
         oi.reviewable_set is false as cancelled,
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
   where oi.client_id = $1 ${itemScopes[reads]}
   group by oi.client_id, oi.order_id, oi.id, c.email_key, ii.invitation_id, p.deleted
), answers as (
  select *, exists (select from reviews v where v.client_id = $1 and v.order_id = base.order_id and v.product_id = base.item_id)
              as answered
    from base offset 0
), facts as (
  select *,
         case when invited then 'already_invited' when answered then 'already_reviewed' when not reviewable then 'not_reviewable'
              when delivery_date is null then 'no_delivery_date' when product_deleted then 'product_deleted'
              when held then 'held' when person is null then 'no_email' when opted_out then 'opted_out'
              when suppressed then 'suppressed' when closes < $2::date then 'too_late' end as never
    from answers offset 0
), verdicts as (
  select f.order_id, f.item_id, f.delivery_date, f.person, f.reviewable, f.cancelled, f.held, f.held_until, f.invited, f.answered, f.product_deleted,
         f.opted_out, f.suppressed, f.free, f.opens, f.closes, r.again,
         case when f.never is null then greatest(f.opens, r.again, f.free, f.held_until) end as ready,
         case when f.never is not null then f.never when f.held_until > $2::date then 'held'
              when r.again > $2::date then 'already_reviewed'
              when f.opens > $2::date then 'too_early' when f.free > $2::date then 'quarantine' end as reason,
         case when f.never is not null then null when f.held_until > $2::date then f.held_until
              when r.again > $2::date then r.again
              when f.opens > $2::date then f.opens when f.free > $2::date then f.free end as until
    from facts f
    left join lateral (
      select max(found.date) + ${REVIEW_INTERVAL_DAYS} as again
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
  -- Oldest delivery first; ids only make the order deterministic.
  select *, reason is null and wait_until is null as goes,
         first_value(delivery_date) over by_age as first_date, first_value(order_id) over by_age as first_order,
         first_value(item_id) over by_age as first_item
    from waits
  window by_age as (partition by person, reason is null and wait_until is null order by delivery_date, order_id, item_id)
), places as (
  select *, case when goes then dense_rank() over (order by goes desc, first_date, first_order, first_item) end as place,
         greatest($6::int - ${usedCapacity}, 0) as room
    from oldest
), decided as (
  select order_id, item_id, delivery_date, person, place, reviewable, cancelled, held, held_until, invited, answered, product_deleted, opted_out,
         suppressed, free, opens, closes, again,
         case when reason is not null then reason when wait_until is not null then 'waiting_for_items'
              when place > room then 'send_limit' end as reason,
         case when reason is not null then until when wait_until is not null then wait_until
              when place > room and $6::int > 0 then $2::date + 1 + ((place - room - 1) / $6::int)::int end as until
    from places
)`;

/** The last day a person (an address, as SQL) reviewed the store; `which` restricts the reviews `v`. */
export const lastSellerReviewSql = (person: string, which = "") => `(select max(found.date) from (
    select v.date from seller_reviews v where v.client_id = $1 and v.email_key = ${person} ${which}
    union all
    select v.date from customers same join seller_reviews v on v.client_id = $1 and v.customer_id = same.id
     where same.client_id = $1 and same.email_key = ${person} ${which}) found)`;

/** The recipient of a person's email; the newest customer row provides the name. */
export const recipientSql = (person: string) => `(select json_build_object(
          'hashes', json_agg(c.id_hash), 'email_hash', max(c.email_hash),
          'customer_id', (array_agg(c.id order by c.updated_at desc, c.id))[1],
          'email', (array_agg(c.email order by c.updated_at desc, c.id))[1],
          'name', (array_agg(c.name order by c.updated_at desc, c.id) filter (where c.name is not null))[1],
          'lang', (array_agg(c.lang order by c.updated_at desc, c.id) filter (where c.lang is not null))[1])
        from customers c where c.client_id = $1 and c.email_key = ${person})`;

const allItemsText = `${decisionsQuery("everything")}
select d.order_id, d.item_id, d.reason, d.until, d.person, d.closes,
       case when d.reason is null then
         (select c.email from customers c where c.client_id = $1 and c.email_key = d.person order by c.updated_at desc, c.id limit 1)
       end as "to"
  from decided d order by d.place nulls last, d.delivery_date, d.order_id, d.item_id`;

const evaluatedColumns = `
select d.order_id, d.item_id, d.reason, d.until, d.person, d.delivery_date, d.reviewable, d.cancelled, d.held, d.held_until, d.invited, d.answered,
       d.product_deleted, d.opted_out, d.suppressed, d.opens, d.closes, d.free - $5::int as last_mail,
       d.again - ${REVIEW_INTERVAL_DAYS} as reviewed`;

const orderText = `${decisionsQuery("order")} ${evaluatedColumns}, ${lastSellerReviewSql("d.person")} as rated_shop
  from decided d order by d.order_id, d.item_id`;

/** The first item of a group, in a run's order. Arrays, since `min` supports records only from PostgreSQL 18 on. */
export const firstItemSql = (day: string, order: string, item: string) =>
  `min(array[to_char(${day}, 'YYYY-MM-DD') collate "C", ${order}, ${item}])`;

/** People with a due item among those delivered from $4 to $5, oldest delivery first, at most $6. */
const candidatesText = `
select c.email_key as person
  from order_items oi
  join orders o on o.client_id = oi.client_id and o.id = oi.order_id
  join customers c on c.client_id = o.client_id and c.id = o.customer_id
  left join products p on p.client_id = oi.client_id and p.id = oi.id
 where ${isDueSql("$1", "$2::date", "$3::int", ["$4::date", "$5::date"])}
 group by c.email_key
 order by ${firstItemSql("oi.delivery_date", "oi.order_id", "oi.id")}, c.email_key limit $6`;

const dueText = `${decisionsQuery("people")}
select d.person as email_key, max(d.place) as place,
       json_agg(json_build_object('order_id', d.order_id, 'item_id', d.item_id) order by d.delivery_date, d.order_id, d.item_id) as items,
       ${recipientSql("d.person")} as customer
  from decided d where d.reason is null group by d.person order by 2`;

// Not a named statement: PostgreSQL's best plan depends on the values (the window's share of the table).
const values = (clientId: string, rules: SendRules, today: Day) => [
  clientId,
  today,
  rules.afterDays,
  rules.beforeDays,
  rules.quarantineDays,
  rules.limit,
];

export type RunItem = {
  order_id: string;
  item_id: string;
  reason: HeldReason | null;
  until: Day | null;
  person: string | null;
  closes: Day | null;
  to: string | null;
};

/** Every item of the client with today's decision; items of one email are adjacent. */
export async function selectDecisions(db: Db, clientId: string, rules: SendRules, today: Day): Promise<RunItem[]> {
  const { rows } = await db.query<RunItem>(allItemsText, values(clientId, rules, today));
  return rows;
}

/** An item with today's decision and the data it is based on. */
export type EvaluatedItem = ItemFacts &
  Pick<PersonFacts, "opted_out" | "suppressed" | "rated_shop"> & {
    reason: HeldReason | null;
    until: Day | null;
    /** the first and last day of its window, whatever else applies */
    opens: Day | null;
    closes: Day | null;
    /** the day of the person's last email */
    last_mail: Day | null;
  };

/**
 * The items of one order and all others of its person, with today's decision on each, as if no other person's email
 * were due.
 */
export async function selectDecisionsOfOrder(
  db: Db,
  clientId: string,
  rules: SendRules,
  today: Day,
  orderId: string,
): Promise<EvaluatedItem[]> {
  const { rows } = await db.query<EvaluatedItem>(orderText, [...values(clientId, rules, today), orderId]);
  return rows;
}

const ordersText = `${decisionsQuery("orders")} ${evaluatedColumns}
  from decided d order by d.order_id, d.item_id`;

/** No daily limit, which isn't relevant here. */
const NO_LIMIT = 2_147_483_647;

/** The items of several orders with today's decision on each alone, ignoring other items and the day's limit. */
export async function selectDecisionsOfOrders(
  db: Db,
  clientId: string,
  rules: SendRules,
  today: Day,
  orderIds: string[],
): Promise<Omit<EvaluatedItem, "rated_shop">[]> {
  // Named, since planning takes longer than reading these rows, which indexes find whatever the values are.
  const { rows } = await db.query<EvaluatedItem>({
    name: "decisions-of-orders",
    text: ordersText,
    values: [...values(clientId, { ...rules, limit: NO_LIMIT }, today), orderIds],
  });
  return rows;
}

const skippedText = `${decisionsQuery("closing")}
select s.reason, count(*)::int as count from (
  select case when d.invited then (
           select 'failed' from invitation_items ii join invitations n on n.client_id = $1 and n.id = ii.invitation_id
            where ii.client_id = $1 and ii.order_id = d.order_id and ii.item_id = d.item_id and n.status = 'failed' and n.sent_at is null)
              when d.reason = 'not_reviewable' and d.cancelled then 'excluded'
              else coalesce(d.reason, 'too_late') end as reason
    from decided d) s
 where s.reason is not null group by s.reason order by s.reason`;

/**
 * Items that could be asked about on that day for the last time and weren't, by the reason of that day. An item that was
 * due and had room in the day's limit is `too_late`: nothing was sent, such as while the service was down.
 */
export async function selectSkipped(
  db: Db,
  clientId: string,
  rules: SendRules,
  day: Day,
): Promise<{ reason: NotInvitedReason; count: number }[]> {
  const { rows } = await db.query<{ reason: NotInvitedReason; count: number }>(
    skippedText,
    values(clientId, rules, day),
  );
  return rows;
}

/** A due email: its recipient and items, oldest delivery first. The newest customer row provides the name. */
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

/**
 * People (`email_key`) with an item due today, of those delivered in these days (within the window), oldest delivery
 * first. {@link selectDue} decides whether each gets an email: it may wait for another item, or the data may have
 * changed.
 */
export async function selectCandidates(
  db: Db,
  clientId: string,
  { quarantineDays }: SendRules,
  today: Day,
  deliveries: { first: Day; last: Day },
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ person: string }>(candidatesText, [
    clientId,
    today,
    quarantineDays,
    deliveries.first,
    deliveries.last,
    limit,
  ]);
  return rows.map(({ person }) => person);
}

/** Room in the day's limit, besides earlier emails with priority. */
export async function selectRemainingCapacity(
  db: Db,
  clientId: string,
  { limit, afterDays, beforeDays }: SendRules,
  today: Day,
): Promise<number> {
  const window = [afterDays, beforeDays];
  const { rows } = await db.query<{ taken: number }>(`select ${usedCapacity} as taken`, [clientId, today, ...window]);
  return Math.max(0, limit - (rows[0]?.taken ?? 0));
}

/** The emails to these people that may be sent today, oldest delivery first, up to the day's limit. */
export async function selectDue(
  db: Db,
  clientId: string,
  rules: SendRules,
  today: Day,
  people: string[],
): Promise<DueMail[]> {
  const { rows } = await db.query<DueMail>(dueText, [...values(clientId, rules, today), people]);
  return rows;
}

/** The recipient of an email to the person with an address. */
export async function selectCustomer(db: Db, clientId: string, person: string): Promise<DueMail["customer"]> {
  const { rows } = await db.query<{ customer: DueMail["customer"] }>(`select ${recipientSql("$2")} as customer`, [
    clientId,
    person,
  ]);
  return (rows[0] as { customer: DueMail["customer"] }).customer;
}
