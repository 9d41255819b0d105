import { REVIEW_INTERVAL_DAYS } from "@/lib/invitations/rules";

type Parameter = string;

/** Whether the item (`oi`) is paused on that day, for now or indefinitely. */
export const isHeldOnSql = (today: Parameter): string =>
  `(oi.held_at is not null and coalesce(oi.held_until > ${today}, true))`;

/**
 * Whether a person, by any customer id with the address, has a review `v` of the product with a date as `dates` says. The
 * parameters are SQL.
 */
export const hasReviewedSql = (
  client: Parameter,
  person: Parameter,
  product: Parameter,
  dates: string,
): string => `exists (
  select from reviews v where v.client_id = ${client} and v.email_key = ${person} and v.product_id = ${product} and ${dates}
  union all
  select from customers same join reviews v on v.client_id = ${client} and v.customer_id = same.id and v.product_id = ${product}
   where same.client_id = ${client} and same.email_key = ${person} and ${dates})`;

/**
 * Conditions for an order item that can be asked about on a day, unless it is excluded or paused, or its person is in the
 * cooldown: over `oi` (order_items), `c` (its customer) and `p` (its product, if any). The parameters are SQL: client id,
 * the day, and the first and last delivery day whose window is open. Only plain anti-joins, which the database runs by index
 * for few items and by hash for a million. `asked` mirrors the invitations' items in a partial index, which omits items
 * already asked about.
 */
export const canBeAskedSql = (
  client: Parameter,
  today: Parameter,
  deliveries: readonly [first: Parameter, last: Parameter],
): string => `oi.client_id = ${client} and not oi.asked
   and oi.delivery_date between ${deliveries[0]} and ${deliveries[1]}
   and c.email_key is not null and not coalesce(p.deleted, false)
   and not exists (select from invitation_items ii
     where ii.client_id = ${client} and ii.order_id = oi.order_id and ii.item_id = oi.id)
   and not exists (select from suppressions s where s.client_id = ${client} and s.email_hash = c.email_hash)
   and not exists (select from customers same
     where same.client_id = ${client} and same.email_key = c.email_key and same.opt_out_by_order)
   and not exists (select from reviews v where v.client_id = ${client} and v.email_key = c.email_key
     and v.product_id = oi.id and v.date > ${today} - ${REVIEW_INTERVAL_DAYS})
   and not exists (select from customers same join reviews v on v.client_id = ${client} and v.customer_id = same.id
     where same.client_id = ${client} and same.email_key = c.email_key
       and v.product_id = oi.id and v.date > ${today} - ${REVIEW_INTERVAL_DAYS})
   and not exists (select from reviews v
     where v.client_id = ${client} and v.order_id = oi.order_id and v.product_id = oi.id)`;

/** The condition that an order item is due, as `evaluateItem` has it. As {@link canBeAskedSql}, and cooldown days. */
export const isDueSql = (
  client: Parameter,
  today: Parameter,
  quarantine: Parameter,
  deliveries: readonly [first: Parameter, last: Parameter],
): string => `${canBeAskedSql(client, today, deliveries)} and oi.reviewable and not ${isHeldOnSql(today)}
   and not exists (select from customers same join quarantines q on q.client_id = ${client} and q.person_hash = same.id_hash
     where same.client_id = ${client} and same.email_key = c.email_key and q.last_day > ${today} - ${quarantine})
   and not exists (select from quarantines q
     where q.client_id = ${client} and q.person_hash = c.email_hash and q.last_day > ${today} - ${quarantine})`;
