import type { OrderFilter } from "@/lib/orders/schema";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import type { Cursor } from "@/lib/platform/http/cursor";

/** An order in its API form, as text. */
export type OrderRow = { client_id: string; id: string; json: string };
/** An order with its position in lists. */
type ListedRow = OrderRow & { created_at: Date; read_at: Date };

const second = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

// JSON is built in the database: parsing and serializing it again would cost more than reading the rows. `row_to_json`
// keeps the column order and adds no spaces.

// Details missing from an item's order come from the current catalog; `deleted` is the product's current state.
const itemJson = (product: (name: string) => string) => `row_to_json((select item from (select
    i.id, coalesce(i.family_id, ${product("family_id")}, i.id) as family_id, coalesce(i.name, ${product("name")}) as name,
    coalesce(i.category, ${product("category")}) as category, i.delivery_date, coalesce(i.url, ${product("url")}) as url,
    coalesce(i.image_url, ${product("image_url")}) as image_url, i.properties,
    coalesce(${product("deleted")}, false) as deleted, i.reviewable, i.returned, ${second("i.created_at")} as created_at,
    ${second("i.updated_at")} as updated_at) item))`;
const itemColumns = (json: string) =>
  `array_to_json(array_agg(${json} order by i.position, i.id)) as items, max(i.updated_at) as updated_at`;

// An order `o`, its customer `c` and its items `i` as one row. An order counts as changed if it, an item or its
// customer did. Without access to personal data, the customer is left out.
const columns = (people: string) => {
  const personal = (name: string) => `case when ${people} then c.${name} end as ${name}`;
  return `
  o.client_id, o.id,
  row_to_json((select item_order from (select
    o.id, o.store_name, trim_scale(o.value) as value, ${second("o.created_at")} as created_at,
    ${second("greatest(o.updated_at, c.updated_at, i.updated_at)")} as updated_at,
    (select buyer from (select
      ${personal("id")}, ${personal("name")}, ${personal("email")}, ${personal("phone")}, c.lang,
      c.opt_out_by_order or exists (
        select from suppressions s
         where s.client_id = c.client_id and s.email_hash = c.email_hash and s.reason = 'opt_out') as opt_out,
      ${second("c.created_at")} as created_at, ${second("c.updated_at")} as updated_at) buyer) as customer,
    coalesce(i.items, '[]') as items) item_order))::text as json`;
};

// `offset 0` makes the planner look up details per order, however many customers there are.
const withDetails = `
  cross join lateral (select * from customers where client_id = o.client_id and id = o.customer_id offset 0) c
  cross join lateral (
    select ${itemColumns(itemJson((name) => `p.${name}`))}
      from order_items i left join products p on p.client_id = i.client_id and p.id = i.id
     where i.client_id = o.client_id and i.order_id = o.id) i`;

async function selectOrders<Row extends OrderRow>(db: Db, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await db.query<Row>({ name: statementName(text), text, values });
  return rows;
}

/**
 * A page of orders by (created_at, id), plus one row. `emailKey`: the normalized customer_email. Reads a page of each
 * customer with this address, then merges them.
 */
export function selectOrderPage(
  db: Db,
  clientId: string,
  filter: OrderFilter,
  emailKey: string | null,
  cursor: Cursor | null,
  { people }: { people: boolean },
): Promise<ListedRow[]> {
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = ["o.client_id = $1"];
  if (filter.customer_id !== undefined) where.push(`o.customer_id = ${value(filter.customer_id)}`);
  if (filter.created_after) where.push(`o.created_at >= ${value(filter.created_after)}::timestamptz`);
  if (cursor) {
    where.push(`(o.created_at, o.id) > (${value(cursor.key[0])}::timestamptz, ${value(cursor.key[1])})`);
    where.push(`o.created_at <= ${value(cursor.startedAt)}::timestamptz`);
  }
  const found = (more: string, limit: string) =>
    `select o.* from orders o where ${[...where, more].join(" and ")} order by o.created_at, o.id limit ${limit}`;
  const limit = value(filter.limit + 1);
  const page =
    emailKey === null
      ? found("true", limit)
      : `select o.* from (select id from customers where client_id = $1 and email_key = ${value(emailKey)} offset 0) same
           cross join lateral (${found("o.customer_id = same.id", limit)}) o order by o.created_at, o.id limit ${limit}`;
  const shown = columns(`${value(people)}::boolean`);
  return selectOrders(
    db,
    `with page as (${page})
     select ${shown}, o.created_at, now()::timestamptz(3) as read_at from page o ${withDetails} order by o.created_at, o.id`,
    values,
  );
}

export async function selectOrder(
  db: Db,
  clientId: string,
  id: string,
  { people }: { people: boolean },
): Promise<OrderRow | null> {
  const rows = await selectOrders(
    db,
    `select ${columns("$3::boolean")} from orders o ${withDetails} where o.client_id = $1 and o.id = $2`,
    [clientId, id, people],
  );
  return rows[0] ?? null;
}

/** Orders in the order of these keys; missing ones are left out. */
export function selectOrdersOf(db: Db, keys: { client_id: string; id: string }[]): Promise<OrderRow[]> {
  return selectOrders(
    db,
    `select ${columns("true")}
       from unnest($1::text[], $2::text[]) with ordinality as w(client_id, id, place)
       join orders o on o.client_id = w.client_id and o.id = w.id ${withDetails} order by w.place`,
    [keys.map((key) => key.client_id), keys.map(({ id }) => id)],
  );
}

/** A written order; `created` if it is new, in which case `json` is all of it. */
export type WrittenRow = OrderRow & { created: boolean };

/**
 * The end of a statement that starts with the CTEs of `orderWrites`: returns what it wrote, in the form of {@link
 * selectOrder}.
 */
export const writtenOrdersSql = `,
  shown as materialized (
    select i.client_id, i.order_id, ${itemColumns(itemJson((name) => `l.product_${name}`))}
      from written i join lines l on l.client_id = i.client_id and l.order_id = i.order_id and l.id = i.id
     group by i.client_id, i.order_id)
  select ${columns("true")}, o.created
    from head o join person c on c.client_id = o.client_id and c.id = o.customer_id
    left join shown i on i.client_id = o.client_id and i.order_id = o.id`;

export async function selectBuyer(db: Db, clientId: string, orderId: string): Promise<string | null> {
  const { rows } = await db.query<{ customer_id: string }>(
    "select customer_id from orders where client_id = $1 and id = $2",
    [clientId, orderId],
  );
  return rows[0]?.customer_id ?? null;
}
