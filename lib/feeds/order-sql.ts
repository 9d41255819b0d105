import type { PoolClient } from "pg";
import type { FeedOrder } from "@/lib/feeds/order-fields";
import { type DroppedRows, dropRows } from "@/lib/feeds/run-import";
import type { OrderInput } from "@/lib/orders/schema";
import { copyText } from "@/lib/platform/db/copy-format";

// Rows of an order feed are first copied unchanged into a temporary table of this connection. One statement classifies
// them; then the changing rows are read again, grouped by order, and stored.

/** Creates the staging table, which is dropped with the connection. */
export async function createStage(db: PoolClient): Promise<void> {
  await db.query(`
    create temporary table staged_orders (
      row integer, flat boolean, order_id text collate "C", customer_id text collate "C", item_id text collate "C", body jsonb,
      erased_hash text collate "C", status text)`);
}

export const COPY_ORDERS =
  "copy staged_orders (row, flat, order_id, customer_id, item_id, body, erased_hash) from stdin";

/**
 * An order, or one item of it, as a line in COPY's text format. The body has only the given fields. `hash`: the order's
 * hash if any of the client's orders was ever erased, otherwise null.
 */
export function copyOrder({ row, flat, order }: { row: number } & FeedOrder, hash: string | null): string {
  const item = flat ? (order.items[0]?.id ?? null) : null;
  return `${row}\t${flat}\t${copyText(order.id)}\t${copyText(order.customer.id)}\t${copyText(item)}\t${copyText(JSON.stringify(order))}\t${copyText(hash)}\n`;
}

/** Of duplicate orders, keeps the last row; of flat rows, the last of each item. */
export const dropDuplicates = (db: PoolClient): Promise<DroppedRows> =>
  dropRows(
    db,
    `delete from staged_orders s
      using (select row, max(row) over (partition by order_id, flat, coalesce(item_id, '')) as last from staged_orders) places
      where s.row = places.row and s.row < places.last returning s.row, 'doubled' as reason`,
  );

/** Removes orders that were erased with a person and not posted again since. */
export const dropErased = (db: PoolClient, clientId: string): Promise<DroppedRows> =>
  dropRows(
    db,
    `delete from staged_orders s using erased_hashes e
      where e.client_id = $1 and e.hash = s.erased_hash
        and not exists (select from orders o where o.client_id = $1 and o.id = s.order_id)
      returning s.row, 'erased' as reason`,
    [clientId],
  );

/** Removes pending changes to orders whose customers were erased during the import. */
export const dropErasedMeanwhile = (db: PoolClient, orderIds: string[]): Promise<DroppedRows> =>
  dropRows(
    db,
    `delete from staged_orders s where order_id = any($1) and status <> 'unchanged' returning s.row, 'erased' as reason`,
    [orderIds],
  );

const differsSql = (source: string, key: string, stored: string) =>
  `(${source} ? '${key}' and ${source}->>'${key}' is distinct from ${stored})`;

const itemDiffersSql = `
  i.id is null or ${["family_id", "name", "category", "url", "image_url"].map((key) => differsSql("l", key, `i.${key}`)).join(" or ")}
  or ${differsSql("l", "delivery_date", "i.delivery_date::text")} or ${differsSql("l", "reviewable", "i.reviewable_set::text")}
  or ${differsSql("l", "returned", "i.returned::text")}
  or (l ? 'properties' and l->'properties' is distinct from i.properties)
  or i.reviewable is distinct from coalesce((l->>'reviewable')::boolean, i.reviewable_set, p.id is not null or coalesce(l->>'name', i.name) is not null)`;

const statusSql = `
  case when o.id is null then 'created'
       when s.flat and s.item_id is not null
            and not exists (select from order_items i where i.client_id = $1 and i.order_id = s.order_id and i.id = s.item_id) then 'created'
       when c.id is null or o.customer_id <> s.customer_id or ${differsSql("s.body", "store_name", "o.store_name")}
            or ${differsSql("s.body", "value", "trim_scale(o.value)::text")}
            or ${["name", "email", "phone", "lang"].map((key) => differsSql("s.body->'customer'", key, `c.${key}`)).join(" or ")}
            or coalesce((s.body->'customer'->>'opt_out')::boolean <> c.opt_out_by_order, false)
            or exists (select from jsonb_array_elements(s.body->'items') l
                         left join order_items i on i.client_id = $1 and i.order_id = s.order_id and i.id = l->>'id'
                         left join products p on p.client_id = $1 and p.id = l->>'id'
                        where ${itemDiffersSql}) then 'updated'
       else 'unchanged' end`;

/**
 * Classifies each row against the stored data: a new order, or for flat rows a new item, is `created`. Imports and dry
 * runs share this, so their reports agree.
 */
export async function classifyStage(db: PoolClient, clientId: string): Promise<StatusCounts> {
  await db.query("create unique index on staged_orders (row)");
  await db.query("analyze staged_orders");
  await db.query(
    `update staged_orders s set status = classified.status
       from (select s.row, ${statusSql} as status from staged_orders s
               left join orders o on o.client_id = $1 and o.id = s.order_id
               left join customers c on c.client_id = $1 and c.id = s.customer_id) classified
      where classified.row = s.row`,
    [clientId],
  );
  return countStatuses(db);
}

export type StatusCounts = { created: number; updated: number };

/** Counts the remaining rows by status. */
export async function countStatuses(db: PoolClient): Promise<StatusCounts> {
  const { rows } = await db.query<StatusCounts>(
    `select (count(*) filter (where status = 'created'))::int as created, (count(*) filter (where status = 'updated'))::int as updated
       from staged_orders`,
  );
  return rows[0]!;
}

/**
 * Groups the pending writes by order. Orders of one customer get different turns, since one statement can't write a
 * customer twice; the last row about the customer then wins.
 */
export async function prepareWrites(db: PoolClient): Promise<void> {
  await db.query(`
    create temporary table staged_writes as
    select order_id, customer_id, bodies, last, row_number() over (partition by customer_id order by last) as turn
      from (select order_id, (array_agg(customer_id order by row desc))[1] as customer_id, jsonb_agg(body order by row) as bodies, max(row) as last
              from staged_orders where status <> 'unchanged' group by order_id) orders`);
  await db.query("create index on staged_writes (turn, last)");
  await db.query("analyze staged_writes");
}

export type WritePosition = { turn: number; last: number };
/** The rows of one order, in file order. */
export type StagedWrite = WritePosition & { bodies: OrderInput[] };

/** The next writes after a position, no two of the same customer. */
export async function selectWrites(db: PoolClient, after: WritePosition, limit: number): Promise<StagedWrite[]> {
  const { rows } = await db.query<StagedWrite>({
    name: "order-writes",
    text: `with next as (select turn, last, bodies from staged_writes where (turn, last) > ($1, $2) order by turn, last limit $3)
           select turn::int, last, bodies from next where turn = (select min(turn) from next) order by last`,
    values: [after.turn, after.last, limit],
  });
  return rows;
}
