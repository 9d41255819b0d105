import { statementName } from "@/lib/db/named";
import type { Db } from "@/lib/db/pool";
import type { Cursor } from "@/lib/http/page";
import type { ItemInput, OrderFilter, OrderInput } from "@/lib/orders/schema";

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

export async function selectBuyer(db: Db, clientId: string, orderId: string): Promise<string | null> {
  const { rows } = await db.query<{ customer_id: string }>(
    "select customer_id from orders where client_id = $1 and id = $2",
    [clientId, orderId],
  );
  return rows[0]?.customer_id ?? null;
}

type Person = OrderInput["customer"] & {
  id_hash: string;
  email_key: string | null | undefined;
  email_hash: string | null | undefined;
};

/**
 * Writes customer, past address, order and items in one statement. What the request left out keeps its value (`given`
 * tells absent from null). Rows whose values stay the same keep their `updated_at`.
 */
export async function upsertOrder(db: Db, clientId: string, order: OrderInput, person: Person): Promise<void> {
  const given = (key: string, holder: object) =>
    key in holder && (holder as Record<string, unknown>)[key] !== undefined;
  const items = merged(order.items).map((item, position) => ({
    position,
    id: item.id,
    set: Object.keys(item).filter((key) => given(key, item)),
    delivery_date: item.delivery_date ?? null,
    reviewable: item.reviewable ?? null,
    family_id: item.family_id ?? null,
    name: item.name ?? null,
    category: item.category ?? null,
    url: item.url ?? null,
    image_url: item.image_url ?? null,
    properties: item.properties ?? {},
  }));
  const customer = {
    set: Object.keys(person).filter((key) => given(key, person)),
    name: person.name ?? null,
    email: person.email ?? null,
    email_key: person.email_key ?? null,
    email_hash: person.email_hash ?? null,
    phone: person.phone ?? null,
    lang: person.lang ?? null,
    opt_out: person.opt_out ?? null,
  };
  const text = `
    with given as (select $4::jsonb as c),
    person as (
      insert into customers as t (client_id, id, id_hash, name, email, email_key, email_hash, phone, lang, opt_out_by_order)
      select $1, $2, $3, c->>'name', c->>'email', c->>'email_key', c->>'email_hash', c->>'phone', c->>'lang', coalesce((c->>'opt_out')::boolean, false)
        from given
      on conflict (client_id, id) do update set
        name = case when $4::jsonb->'set' ? 'name' then excluded.name else t.name end,
        email = case when $4::jsonb->'set' ? 'email' then excluded.email else t.email end,
        email_key = case when $4::jsonb->'set' ? 'email' then excluded.email_key else t.email_key end,
        email_hash = case when $4::jsonb->'set' ? 'email' then excluded.email_hash else t.email_hash end,
        phone = case when $4::jsonb->'set' ? 'phone' then excluded.phone else t.phone end,
        lang = case when $4::jsonb->'set' ? 'lang' then excluded.lang else t.lang end,
        opt_out_by_order = case when $4::jsonb->>'opt_out' is not null then excluded.opt_out_by_order else t.opt_out_by_order end,
        updated_at = case when ($4::jsonb->'set' ? 'name' and excluded.name is distinct from t.name)
                            or ($4::jsonb->'set' ? 'email' and excluded.email is distinct from t.email)
                            or ($4::jsonb->'set' ? 'phone' and excluded.phone is distinct from t.phone)
                            or ($4::jsonb->'set' ? 'lang' and excluded.lang is distinct from t.lang)
                            or ($4::jsonb->>'opt_out' is not null and excluded.opt_out_by_order is distinct from t.opt_out_by_order)
                          then clock_timestamp() else t.updated_at end
      returning email_key),
    address as (
      insert into customer_emails (client_id, customer_id, email_key)
      select $1, $2, email_key from person where email_key is not null on conflict do nothing),
    head as (
      insert into orders as t (client_id, id, customer_id, store_name)
      select $1, $5, $2, $6 from person
      on conflict (client_id, id) do update set
        customer_id = excluded.customer_id,
        store_name = case when $7 then excluded.store_name else t.store_name end,
        updated_at = case when t.customer_id is distinct from excluded.customer_id or ($7 and t.store_name is distinct from excluded.store_name)
                          then clock_timestamp() else t.updated_at end
      returning id),
    lines as (
      select i.*, p.id is not null as known
        from head, jsonb_to_recordset($8::jsonb) as i(position int, id text, set jsonb, delivery_date date, reviewable boolean,
             family_id text, name text, category text, url text, image_url text, properties jsonb)
        left join products p on p.client_id = $1 and p.id = i.id),
    written as (
      insert into order_items as t (client_id, order_id, id, position, family_id, name, category, url, image_url, properties, delivery_date, reviewable_set, reviewable)
      select $1, $5, id, position + coalesce((select max(o.position) + 1 from order_items o where o.client_id = $1 and o.order_id = $5), 0),
             family_id, name, category, url, image_url, properties, delivery_date, reviewable, coalesce(reviewable, known or name is not null)
        from lines order by id
      on conflict (client_id, order_id, id) do update set (family_id, name, category, url, image_url, properties, delivery_date, reviewable_set, reviewable, updated_at) = (
        select n.family_id, n.name, n.category, n.url, n.image_url, n.properties, n.delivery_date, n.reviewable_set,
               coalesce(n.reviewable_set, n.known or n.name is not null),
               case when (n.family_id, n.name, n.category, n.url, n.image_url, n.properties, n.delivery_date, coalesce(n.reviewable_set, n.known or n.name is not null))
                         is distinct from (t.family_id, t.name, t.category, t.url, t.image_url, t.properties, t.delivery_date, t.reviewable)
                    then clock_timestamp() else t.updated_at end
          from (select l.known,
                       case when l.set ? 'family_id' then l.family_id else t.family_id end as family_id,
                       case when l.set ? 'name' then l.name else t.name end as name,
                       case when l.set ? 'category' then l.category else t.category end as category,
                       case when l.set ? 'url' then l.url else t.url end as url,
                       case when l.set ? 'image_url' then l.image_url else t.image_url end as image_url,
                       case when l.set ? 'properties' then l.properties else t.properties end as properties,
                       case when l.set ? 'delivery_date' then l.delivery_date else t.delivery_date end as delivery_date,
                       case when l.set ? 'reviewable' then l.reviewable else t.reviewable_set end as reviewable_set
                  from lines l where l.id = t.id) n)
      returning id)
    select count(*) from written`;
  await db.query({
    name: statementName(text),
    text,
    values: [
      clientId,
      person.id,
      person.id_hash,
      JSON.stringify(customer),
      order.id,
      order.store_name ?? null,
      order.store_name !== undefined,
      JSON.stringify(items),
    ],
  });
}

/** Lines of the same SKU count as one; what a later line gives wins. */
function merged(items: ItemInput[]): ItemInput[] {
  const bySku = new Map<string, ItemInput>();
  for (const item of items) {
    const said = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as ItemInput;
    bySku.set(item.id, { ...bySku.get(item.id), ...said });
  }
  return [...bySku.values()];
}
