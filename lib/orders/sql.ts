import { statementName } from "@/lib/db/named";
import type { Db } from "@/lib/db/pool";
import type { Cursor } from "@/lib/http/page";
import type { OrderFilter } from "@/lib/orders/schema";

export type OrderRow = {
  id: string;
  store_name: string | null;
  created_at: Date;
  updated_at: Date;
  read_at: Date;
  customer_id: string;
  customer_name: string | null;
  customer_email: string | null;
  customer_phone: string | null;
  customer_lang: string | null;
  opt_out: boolean;
  customer_created_at: Date;
  customer_updated_at: Date;
  items: {
    id: string;
    family_id: string;
    name: string | null;
    category: string | null;
    delivery_date: string | null;
    url: string | null;
    image_url: string | null;
    properties: Record<string, unknown>;
    deleted: boolean;
    reviewable: boolean;
    created_at: string;
    updated_at: string;
  }[];
};

// An order changed when one of its items or its customer did. Details an item's order did not give are the catalogue's of today; `deleted` is the product's state of today.
const orderColumns = `
  o.id, o.store_name, o.created_at, now()::timestamptz(3) as read_at,
  greatest(o.updated_at, c.updated_at, (select max(i.updated_at) from order_items i where i.client_id = o.client_id and i.order_id = o.id)) as updated_at, c.id as customer_id, c.name as customer_name,
  c.email as customer_email, c.phone as customer_phone, c.lang as customer_lang, c.created_at as customer_created_at,
  c.updated_at as customer_updated_at,
  c.opt_out_by_order or exists (select from suppressions s where s.client_id = c.client_id and s.email_hash = c.email_hash and s.reason = 'opt_out') as opt_out,
  coalesce((select json_agg(json_build_object('id', i.id, 'family_id', coalesce(i.family_id, p.family_id, i.id),
      'name', coalesce(i.name, p.name), 'category', coalesce(i.category, p.category), 'delivery_date', i.delivery_date,
      'url', coalesce(i.url, p.url), 'image_url', coalesce(i.image_url, p.image_url), 'properties', i.properties,
      'deleted', coalesce(p.deleted, false), 'reviewable', i.reviewable,
      'created_at', to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'updated_at', to_char(i.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by i.position, i.id)
    from order_items i left join products p on p.client_id = i.client_id and p.id = i.id
   where i.client_id = o.client_id and i.order_id = o.id), '[]') as items`;
// Looked up order by order (`offset 0`), however many customers there are.
const withCustomer =
  "cross join lateral (select * from customers where client_id = o.client_id and id = o.customer_id offset 0) c";

async function selectOrders(db: Db, text: string, values: unknown[]): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>({ name: statementName(text), text, values });
  return rows;
}

/**
 * One page of orders by (created_at, id), one row more than asked. `emailKey`: the compared form of customer_email. Of each
 * customer with this address the first such rows are read; of all those the first are the page.
 */
export function selectOrderPage(
  db: Db,
  clientId: string,
  filter: OrderFilter,
  emailKey: string | null,
  cursor: Cursor | null,
): Promise<OrderRow[]> {
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = ["o.client_id = $1"];
  if (filter.customer_id !== undefined) where.push(`o.customer_id = ${value(filter.customer_id)}`);
  if (filter.created_after) where.push(`o.created_at >= ${value(filter.created_after)}::timestamptz`);
  if (cursor) {
    where.push(`(o.created_at, o.id) > (${value(cursor.key[0])}::timestamptz, ${value(cursor.key[1])})`);
    where.push(`o.created_at <= ${value(cursor.began)}::timestamptz`);
  }
  const found = (more: string, limit: string) =>
    `select o.* from orders o where ${[...where, more].join(" and ")} order by o.created_at, o.id limit ${limit}`;
  const limit = value(filter.limit + 1);
  const page =
    emailKey === null
      ? found("true", limit)
      : `select o.* from (select id from customers where client_id = $1 and email_key = ${value(emailKey)} offset 0) same
           cross join lateral (${found("o.customer_id = same.id", limit)}) o order by o.created_at, o.id limit ${limit}`;
  return selectOrders(
    db,
    `with page as (${page}) select ${orderColumns} from page o ${withCustomer} order by o.created_at, o.id`,
    values,
  );
}

/** One order, or null. */
export async function selectOrder(db: Db, clientId: string, id: string): Promise<OrderRow | null> {
  const rows = await selectOrders(
    db,
    `select ${orderColumns} from orders o ${withCustomer} where o.client_id = $1 and o.id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/** Orders in the order of these keys; those that are not there are left out. */
export function selectOrdersOf(db: Db, keys: { clientId: string; id: string }[]): Promise<OrderRow[]> {
  return selectOrders(
    db,
    `select ${orderColumns}
       from unnest($1::text[], $2::text[]) with ordinality as w(client_id, id, place)
       join orders o on o.client_id = w.client_id and o.id = w.id ${withCustomer} order by w.place`,
    [keys.map(({ clientId }) => clientId), keys.map(({ id }) => id)],
  );
}

export async function selectBuyer(db: Db, clientId: string, orderId: string): Promise<string | null> {
  const { rows } = await db.query<{ customer_id: string }>(
    "select customer_id from orders where client_id = $1 and id = $2",
    [clientId, orderId],
  );
  return rows[0]?.customer_id ?? null;
}
