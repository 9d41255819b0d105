import { joinProduct } from "@/lib/catalog/products/join-product";
import type { ItemInput, OrderInput } from "@/lib/orders/schema";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";

// SQL that writes customers, orders and items within one statement. Absent fields keep their values (`given`
// distinguishes absent from null), and unchanged rows keep their `updated_at`. Rows are locked in key order, customers
// before orders before items, so concurrent statements wait for each other without deadlocks.

/** An order to write, or only a customer. */
export type OrderWrite = {
  clientId: string;
  customer: OrderInput["customer"];
  order: Pick<OrderInput, "id" | "store_name" | "value" | "items"> | null;
  /** The caller's reference for this write. */
  ref?: string;
};

const orderTypes = `client_id text, ref text, customer_id text, id_hash text, name text, email text, email_key text,
    email_hash text, phone text, lang text, opt_out boolean, given text[], order_id text, store_name text,
    store_given boolean, value numeric(15, 3), value_given boolean`;
const lineTypes = `client_id text, order_id text, position int, id text, given text[], delivery_date date,
    reviewable boolean, family_id text, name text, category text, url text, image_url text, properties jsonb, returned boolean`;

const givenOrStored = (name: string, given = name) =>
  `case when '${given}' = any(o.given) then o.${name} else t.${name} end as ${name}`;
const givenOrStoredInLine = (name: string) =>
  `case when '${name}' = any(l.given) then l.${name} else t.${name} end as ${name}`;

/**
 * The CTEs `ordered`, `person`, `head` (with `created`: true for new orders), `lines` and `written` for {@link
 * orderParameters}. `only` filters the rows, such as by a join of `o.ref` with what another CTE stored. No two rows of
 * one statement may have the same customer or order.
 */
export const orderWrites = (orders: `$${number}`, lines: `$${number}`, only = ""): string => `
  ordered as (
    select o.* from json_to_recordset(${orders}::json) as o(${orderTypes}) ${only}),
  person as (
    insert into customers as t (client_id, id, id_hash, name, email, email_key, email_hash, phone, lang, opt_out_by_order)
    select client_id, customer_id, id_hash, name, email, email_key, email_hash, phone, lang, coalesce(opt_out, false)
      from ordered order by client_id, customer_id
    on conflict (client_id, id) do update set (name, email, email_key, email_hash, phone, lang, opt_out_by_order, updated_at) = (
      select n.name, n.email, n.email_key, n.email_hash, n.phone, n.lang, n.opt_out,
             case when (n.name, n.email, n.phone, n.lang, n.opt_out)
                       is distinct from (t.name, t.email, t.phone, t.lang, t.opt_out_by_order)
                  then clock_timestamp() else t.updated_at end
        from (select ${givenOrStored("name")}, ${givenOrStored("email")}, ${givenOrStored("email_key", "email")}, ${givenOrStored("email_hash", "email")},
                     ${givenOrStored("phone")}, ${givenOrStored("lang")}, coalesce(o.opt_out, t.opt_out_by_order) as opt_out
                from ordered o where o.client_id = t.client_id and o.customer_id = t.id) n)
    returning *),
  head as (
    insert into orders as t (client_id, id, customer_id, store_name, value)
    select o.client_id, o.order_id, o.customer_id, o.store_name, o.value
      from ordered o join person p on p.client_id = o.client_id and p.id = o.customer_id
     where o.order_id is not null order by o.client_id, o.order_id
    on conflict (client_id, id) do update set (customer_id, store_name, value, updated_at) = (
      select n.customer_id, n.store_name, n.value,
             case when (n.customer_id, n.store_name, n.value) is distinct from (t.customer_id, t.store_name, t.value)
                  then clock_timestamp() else t.updated_at end
        from (select o.customer_id, case when o.store_given then o.store_name else t.store_name end as store_name,
                     case when o.value_given then o.value else t.value end as value
                from ordered o where o.client_id = t.client_id and o.order_id = t.id) n)
    returning *, xmax = 0 as created),
  lines as (
    select l.*, p.id is not null as known, p.family_id as product_family_id, p.name as product_name,
           p.category as product_category, p.url as product_url, p.image_url as product_image_url, p.deleted as product_deleted
      from json_to_recordset(${lines}::json) as l(${lineTypes})
      join head h on h.client_id = l.client_id and h.id = l.order_id
      ${joinProduct("l", "id")}),
  written as (
    insert into order_items as t (client_id, order_id, id, position, family_id, name, category, url, image_url, properties,
      delivery_date, returned, reviewable_set, reviewable)
    select l.client_id, l.order_id, l.id,
           l.position + coalesce((select max(i.position) + 1 from order_items i where i.client_id = l.client_id and i.order_id = l.order_id), 0),
           l.family_id, l.name, l.category, l.url, l.image_url, l.properties, l.delivery_date, l.returned, l.reviewable,
           coalesce(l.reviewable, l.known or l.name is not null)
      from lines l order by l.client_id, l.order_id, l.id
    on conflict (client_id, order_id, id) do update set (family_id, name, category, url, image_url, properties, delivery_date,
        returned, reviewable_set, reviewable, updated_at) = (
      select n.family_id, n.name, n.category, n.url, n.image_url, n.properties, n.delivery_date, n.returned, n.reviewable_set,
             coalesce(n.reviewable_set, n.known or n.name is not null),
             case when (n.family_id, n.name, n.category, n.url, n.image_url, n.properties, n.delivery_date, n.returned,
                        coalesce(n.reviewable_set, n.known or n.name is not null))
                       is distinct from (t.family_id, t.name, t.category, t.url, t.image_url, t.properties, t.delivery_date, t.returned, t.reviewable)
                  then clock_timestamp() else t.updated_at end
        from (select l.known, ${givenOrStoredInLine("family_id")}, ${givenOrStoredInLine("name")}, ${givenOrStoredInLine("category")}, ${givenOrStoredInLine("url")},
                     ${givenOrStoredInLine("image_url")}, ${givenOrStoredInLine("properties")}, ${givenOrStoredInLine("delivery_date")}, ${givenOrStoredInLine("returned")},
                     case when 'reviewable' = any(l.given) then l.reviewable else t.reviewable_set end as reviewable_set
                from lines l where l.client_id = t.client_id and l.order_id = t.order_id and l.id = t.id) n)
    returning *),
  -- Items not in the catalog whose family changed: their reviews follow.
  family_news as (
    insert into outbox (client_id, name, data)
    select l.client_id, 'order/family_given',
           json_build_object('client_id', l.client_id, 'product_ids', json_agg(distinct l.id))
      from lines l
      left join lateral (
        select coalesce(i.family_id, i.id) as family_id from order_items i
         where i.client_id = l.client_id and i.id = l.id order by i.created_at desc limit 1) i on true
     where l.family_id is not null and not l.known and l.family_id is distinct from i.family_id
     group by l.client_id)`;

/** The two parameters of {@link orderWrites}: orders with their customers, and their lines. */
export const orderParameters = (writes: OrderWrite[]): [orders: string, lines: string] => [
  JSON.stringify(writes.map(orderRow)),
  JSON.stringify(writes.flatMap(lineRows)),
];

/** Keys that no two rows of one statement may share. */
export const orderKeys = ({ clientId, customer, order }: OrderWrite): string[] => {
  const person = `customer|${clientId}|${customer.id}`;
  return order ? [person, `order|${clientId}|${order.id}`] : [person];
};

const presentFields = (record: object): string[] => {
  const names: string[] = [];
  for (const name in record) if (record[name as never] !== undefined) names.push(name);
  return names;
};

function orderRow({ clientId, customer, order, ref }: OrderWrite): object {
  const { id, name, email, phone, lang, opt_out } = customer;
  return {
    client_id: clientId,
    ref,
    customer_id: id,
    id_hash: personHash(clientId, "customer", id),
    name,
    email,
    email_key: email && emailKey(email),
    email_hash: email && personHash(clientId, "email", email),
    phone,
    lang,
    opt_out,
    given: presentFields(customer),
    order_id: order?.id,
    store_name: order?.store_name,
    store_given: order?.store_name !== undefined,
    value: order?.value,
    value_given: order?.value !== undefined,
  };
}

const lineRows = ({ clientId, order }: OrderWrite): object[] =>
  order === null
    ? []
    : merged(order.items).map((item, position) => ({
        ...item,
        client_id: clientId,
        order_id: order.id,
        position,
        given: presentFields(item),
        properties: item.properties ?? {},
      }));

/** Merges lines of the same SKU; fields of later lines win. */
function merged(items: ItemInput[]): ItemInput[] {
  if (new Set(items.map(({ id }) => id)).size === items.length) return items;
  const bySku = new Map<string, ItemInput>();
  for (const item of items) {
    const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as ItemInput;
    bySku.set(item.id, { ...bySku.get(item.id), ...given });
  }
  return [...bySku.values()];
}
