import type { Db } from "@/lib/platform/db/pool";

/** An order to copy: references to its customer, and what its items are. No name, address, or text of a person. */
export type SourceOrder = {
  customer_id: string;
  lang: string | null;
  opted_out: boolean;
  created_at: Date;
  /** as decimal text */
  value: string | null;
  items: {
    id: string;
    known: boolean;
    delivery_date: string | null;
    reviewable: boolean;
    reviewable_set: boolean | null;
    returned: boolean | null;
  }[];
};

/** A store's orders of the last so many days, newest first. */
export async function selectRecentOrders(
  db: Db,
  clientId: string,
  days: number,
  limit: number,
): Promise<SourceOrder[]> {
  const { rows } = await db.query<SourceOrder>(
    `select o.customer_id, c.lang, c.opt_out_by_order as opted_out, o.created_at, o.value, i.items
       from (select * from orders where client_id = $1 and created_at > now() - $2 * interval '1 day'
              order by created_at desc, id desc limit $3) o
       join customers c on c.client_id = $1 and c.id = o.customer_id
       cross join lateral (
         select jsonb_agg(jsonb_build_object('id', i.id, 'known', p.id is not null, 'delivery_date', i.delivery_date,
                  'reviewable', i.reviewable, 'reviewable_set', i.reviewable_set, 'returned', i.returned) order by i.position) as items
           from order_items i left join products p on p.client_id = $1 and p.id = i.id
          where i.client_id = $1 and i.order_id = o.id) i
      where i.items is not null`,
    [clientId, days, limit],
  );
  return rows;
}

/** Copies products from one store's catalog to another's. Returns how many it didn't have. */
export async function copyProducts(db: Db, from: string, to: string, ids: string[]): Promise<number> {
  const { rowCount } = await db.query(
    `insert into products (client_id, id, family_id, brand, name, category, url, image_url, deleted)
     select $2, id, family_id, brand, name, category, url, image_url, deleted from products
      where client_id = $1 and id = any($3) on conflict do nothing`,
    [from, to, ids],
  );
  return rowCount ?? 0;
}

export type MadeUpPerson = {
  id: string;
  name: string;
  email: string;
  email_key: string;
  id_hash: string;
  email_hash: string;
  lang: string | null;
  opted_out: boolean;
};
export type CopiedOrder = {
  id: string;
  customer_id: string;
  created_at: Date;
  value: string | null;
  items: (Omit<SourceOrder["items"][number], "known"> & { name: string | null })[];
};

export async function insertCopies(
  db: Db,
  clientId: string,
  people: MadeUpPerson[],
  orders: CopiedOrder[],
): Promise<void> {
  await db.query(
    `insert into customers (client_id, id, name, email, email_key, id_hash, email_hash, lang, opt_out_by_order)
     select $1, id, name, email, email_key, id_hash, email_hash, lang, opted_out
       from jsonb_to_recordset($2::jsonb) as p(id text, name text, email text, email_key text, id_hash text, email_hash text, lang text, opted_out boolean)`,
    [clientId, JSON.stringify(people)],
  );
  await db.query(
    `insert into orders (client_id, id, customer_id, value, created_at, updated_at)
     select $1, id, customer_id, value, created_at, created_at
       from jsonb_to_recordset($2::jsonb) as o(id text, customer_id text, value numeric, created_at timestamptz)`,
    [clientId, JSON.stringify(orders)],
  );
  await db.query(
    `insert into order_items (client_id, order_id, id, position, name, delivery_date, reviewable, reviewable_set, returned,
       created_at, updated_at)
     select $1, o.id, i.id, row_number() over (partition by o.id order by i.n) - 1, i.name, i.delivery_date, i.reviewable, i.reviewable_set,
            i.returned, o.created_at, o.created_at
       from jsonb_to_recordset($2::jsonb) as o(id text, created_at timestamptz, items jsonb)
      cross join lateral (
        select e.n, r.* from jsonb_array_elements(o.items) with ordinality as e(item, n)
         cross join lateral jsonb_to_record(e.item) as r(id text, name text, delivery_date date, reviewable boolean, reviewable_set boolean,
           returned boolean)) i`,
    [clientId, JSON.stringify(orders)],
  );
}
