import type { OrderSort } from "@/lib/orders/values";
import type { Db } from "@/lib/platform/db/pool";
import { customersByWords, searchWords } from "@/lib/platform/db/search-words";
import { statementName } from "@/lib/platform/db/statement-name";

export type OrderLineRow = {
  id: string;
  created_at: Date;
  /** Sort key of the list. */
  listed_at: Date;
  store_name: string | null;
  customer_id: string;
  customer_name: string | null;
  customer_email: string | null;
  item_count: number;
  first_item: string | null;
  delivery_date: string | null;
  invited_at: Date | null;
  review_count: number;
};

/**
 * Filter of the order list: an order id, or a customer's id or address; customers; a SKU; the beginning of an order id; or
 * words of customers (for people who may see them), products and order ids.
 */
export type OrderSearch =
  | { text: string; person: { id: string; email: string } | null }
  | { customers: string[] }
  | { sku: string }
  | { start: string }
  | { words: string; people: boolean };

/** Orders that words find, and products and items that are looked at for them. */
export const MAX_FOUND = 500;
/** Customers whose orders are looked at, of those with the words. Fewer, since each and its orders are looked up one by one. */
const MAX_CUSTOMERS = 250;

/** The order of each sort, over orders `o`, and the condition of those after a time and an id (SQL). Served by an index. */
export const orderSortSql: Record<OrderSort, { order: string; after: (time: string, id: string) => string }> = {
  newest: {
    order: "o.created_at desc, o.id desc",
    after: (time, id) => `(o.created_at, o.id) < (${time}::timestamptz, ${id})`,
  },
  oldest: { order: "o.created_at, o.id", after: (time, id) => `(o.created_at, o.id) > (${time}::timestamptz, ${id})` },
  number: { order: "o.id", after: (_, id) => `o.id > ${id}` },
  number_desc: { order: "o.id desc", after: (_, id) => `o.id < ${id}` },
};

/**
 * Orders, newest first unless all are listed by `sort`, after `after`. Scans the API list's index backwards; orders of a
 * SKU are sorted by when it was added to the order (`listed_at`).
 */
export async function selectOrderLines(
  db: Db,
  clientId: string,
  search: OrderSearch | null,
  after: { time: string; id: string } | null,
  limit: number,
  sort: OrderSort = "newest",
): Promise<OrderLineRow[]> {
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = ["o.client_id = $1"];
  const afterCursor = (time: string, id: string) =>
    after ? `(${time}, ${id}) < (${value(after.time)}::timestamptz, ${value(after.id)})` : "true";
  if (search && "sku" in search) {
    const page = `
      select o.*, i.created_at as listed_at from (
        select order_id, created_at from order_items
         where client_id = $1 and id = ${value(search.sku)} and ${afterCursor("created_at", "order_id")}
         order by created_at desc, order_id desc limit ${value(limit)}) i
      join orders o on o.client_id = $1 and o.id = i.order_id`;
    return selectLines(db, page, values);
  }
  if (search && "start" in search) {
    const start = value(search.start);
    const page = `
      select o.*, o.created_at as listed_at from orders o
       where client_id = $1 and id >= ${start} and id < ${start} || chr(1114111) ${after ? `and id > ${value(after.id)}` : ""}
       order by id limit ${value(limit)}`;
    return selectLines(db, page, values, { order: "o.id" });
  }
  if (search && "words" in search) {
    // Not prepared: how to read depends on how many rows have the words.
    return selectLines(db, wordsPage(search, value, afterCursor, limit), values, { prepared: false });
  }
  if (!search) {
    const { order, after: isAfter } = orderSortSql[sort];
    if (after)
      where.push(
        sort.startsWith("number") ? isAfter("", value(after.id)) : isAfter(value(after.time), value(after.id)),
      );
    const page = `select o.*, o.created_at as listed_at from orders o where ${where.join(" and ")} order by ${order} limit ${value(limit)}`;
    return selectLines(db, page, values, { order });
  }
  where.push(afterCursor("o.created_at", "o.id"));
  if ("customers" in search) where.push(`o.customer_id = any(${value(search.customers)})`);
  else {
    const ways = [`o.id = ${value(search.text)}`];
    if (search.person) {
      ways.push(`o.customer_id = any(array(select id from customers
        where client_id = $1 and (id = ${value(search.person.id)} or email_key = ${value(search.person.email)})))`);
    }
    where.push(`(${ways.join(" or ")})`);
  }
  const page = `
    select o.*, o.created_at as listed_at from orders o where ${where.join(" and ")}
     order by o.created_at desc, o.id desc limit ${value(limit)}`;
  return selectLines(db, page, values);
}

/** Orders by their ids, in that order. */
export function selectOrderLinesOf(db: Db, clientId: string, ids: string[]): Promise<OrderLineRow[]> {
  const page = "select o.*, o.created_at as listed_at from orders o where o.client_id = $1 and o.id = any($2::text[])";
  return selectLines(db, page, [clientId, ids], { order: "array_position($2::text[], o.id)" });
}

/**
 * The newest {@link MAX_FOUND} orders of customers, products, items and ids that have words, of which each page reads all:
 * items are found by when they were added, which may be later than the order.
 */
function wordsPage(
  { words, people }: { words: string; people: boolean },
  value: (given: unknown) => string,
  afterCursor: (time: string, id: string) => string,
  limit: number,
): string {
  const given = value(words);
  // The index of items has only those with a name of their own.
  const indexed = (table: string) => (table === "order_items" ? "name is not null and" : "");
  const found = (table: "order_items" | "orders" | "products", whole = false) =>
    `(select * from ${table} where ${indexed(table)} client_id = $1 and ${searchWords[table]} @@ search_query($1, ${given}, ${whole}) limit ${MAX_FOUND})`;
  const newest = (columns: string, from: string) =>
    `(select ${columns} from ${from} n order by created_at desc, ${columns} desc limit ${MAX_FOUND})`;
  const ofItems = (items: string) =>
    `(select o.id, o.created_at from ${newest("order_id", items)} i join orders o on o.client_id = $1 and o.id = i.order_id)`;
  const latest = (columns: string, from: string) =>
    `lateral (select ${columns} from ${from} order by created_at desc limit ${MAX_FOUND}) l`;
  const parts = [
    `(select id, created_at from ${found("orders", true)} n)`,
    ofItems(found("order_items")),
    ofItems(`(select l.* from ${found("products")} p cross join
      ${latest("order_id, created_at", "order_items where client_id = $1 and id = p.id")})`),
  ];
  if (people)
    parts.push(`(select l.* from found_customers c cross join
      ${latest("id, created_at", "orders where client_id = $1 and customer_id = c.id")}
      order by l.created_at desc, l.id desc limit ${MAX_FOUND})`);
  const customers = `with ${customersByWords("found_customers", given, MAX_CUSTOMERS)}`;
  return `${people ? customers : ""}
    select o.*, o.created_at as listed_at from (
      select * from (select * from (${parts.join(" union ")}) f order by created_at desc, id desc limit ${MAX_FOUND}) f
       where ${afterCursor("created_at", "id")}
       order by created_at desc, id desc limit ${value(limit)}) f
    join orders o on o.client_id = $1 and o.id = f.id`;
}

/**
 * The orders of a page with details. Names and invitations are looked up per row: if PostgreSQL misjudges where the
 * item ids lie among the product ids, it picks a merge join and scans the whole catalog for each order.
 */
async function selectLines(
  db: Db,
  page: string,
  values: unknown[],
  { order = "o.listed_at desc, o.id desc", prepared = true } = {},
): Promise<OrderLineRow[]> {
  const text = `
    with page as (${page})
    select o.id, o.created_at, o.listed_at, o.store_name, c.id as customer_id, c.name as customer_name, c.email as customer_email,
           i.item_count, i.first_item, i.delivery_date, v.invited_at, r.review_count
      from page o
      join customers c on c.client_id = o.client_id and c.id = o.customer_id
      cross join lateral (
        select count(*)::int as item_count, max(i.delivery_date) as delivery_date,
               (array_agg(coalesce(i.name, (select p.name from products p where p.client_id = i.client_id and p.id = i.id), i.id)
                          order by i.position, i.id))[1] as first_item
          from order_items i
         where i.client_id = o.client_id and i.order_id = o.id) i
      cross join lateral (
        select max((select n.sent_at from invitations n where n.client_id = ii.client_id and n.id = ii.invitation_id
                       and (n.handed_at is null or n.taken_at is not null))) as invited_at
          from invitation_items ii
         where ii.client_id = o.client_id and ii.order_id = o.id) v
      cross join lateral (
        select count(*)::int as review_count from reviews r where r.client_id = o.client_id and r.order_id = o.id) r
     order by ${order}`;
  const { rows } = await db.query<OrderLineRow>({ ...(prepared && { name: statementName(text) }), text, values });
  return rows;
}

const isNotAcceptedSql = "n.status = 'sent' and n.handed_at is not null and n.taken_at is null";

export type InvitationRow = {
  id: string;
  kind: string;
  status: string;
  sent_at: Date | null;
  clicked_at: Date | null;
  /** its email, if it is stored instead of sent */
  stored_mail: string | null;
  item_ids: string[];
};

/**
 * Invitations for items of one order, oldest first. Delegated ones the external sender hasn't fetched yet are still
 * pending.
 */
export async function selectOrderInvitations(db: Db, clientId: string, orderId: string): Promise<InvitationRow[]> {
  const { rows } = await db.query<InvitationRow>({
    name: "order-invitations",
    text: `select n.id, n.kind, case when ${isNotAcceptedSql} then 'claimed' else n.status end as status,
                  case when not (${isNotAcceptedSql}) then n.sent_at end as sent_at, n.clicked_at,
                  (select id from mails where id = n.mail_id and status = 'kept') as stored_mail,
                  array_agg(ii.item_id order by ii.position) as item_ids
             from invitation_items ii join invitations n on n.client_id = ii.client_id and n.id = ii.invitation_id
            where ii.client_id = $1 and ii.order_id = $2
            group by n.client_id, n.id order by n.created_at, n.id`,
    values: [clientId, orderId],
  });
  return rows;
}

export type OrderReviewRow = { id: string; product_id: string | null; score: number; accepted: boolean | null };

/** Reviews of items of one order, oldest first. */
export async function selectOrderReviews(db: Db, clientId: string, orderId: string): Promise<OrderReviewRow[]> {
  const { rows } = await db.query<OrderReviewRow>({
    name: "order-reviews",
    text: `select id, product_id, score, accepted from reviews
            where client_id = $1 and order_id = $2 order by created_at, id limit 200`,
    values: [clientId, orderId],
  });
  return rows;
}

export type HeldItemRow = { item_id: string; until: string | null };

/** An order's items held on a day, in order, with the end of their hold (null: no end). */
export async function selectHeldItems(db: Db, clientId: string, orderId: string, day: string): Promise<HeldItemRow[]> {
  const { rows } = await db.query<HeldItemRow>({
    name: "order-held",
    text: `select id as item_id, held_until as until from order_items
            where client_id = $1 and order_id = $2 and held_at is not null and coalesce(held_until > $3::date, true)
            order by position, id`,
    values: [clientId, orderId, day],
  });
  return rows;
}

/** Hold of an item: until a day, or without an end (null). */
type HoldState = { held: boolean; until: string | null };
type HoldChange = { id: string; from: HoldState; to: HoldState };

/**
 * Holds items until a day or without an end (null), keeping longer holds, or releases them. Returns the number of items
 * found and those changed.
 */
export async function updateItemHolds(
  db: Db,
  clientId: string,
  orderId: string,
  items: string[] | null,
  hold: { at: Date; until: string | null } | null,
): Promise<{ found: number; changed: HoldChange[] }> {
  const { rows } = await db.query<{ found: number; changed: HoldChange[] }>(
    `with wanted as (
       select id, held_at, held_until from order_items
        where client_id = $1 and order_id = $2 and ($3::text[] is null or id = any($3)) order by id for update
     ), changed as (
       update order_items i set held_at = $4::timestamptz, held_until = $5::date
         from wanted w
        where i.client_id = $1 and i.order_id = $2 and i.id = w.id
          and case when $4::timestamptz is null then w.held_at is not null
                   else w.held_at is null or coalesce($5::date, 'infinity') > coalesce(w.held_until, 'infinity') end
       returning ${holdChange("w")}
     )
     select (select count(*)::int from wanted) as found,
            coalesce((select json_agg(change order by change->>'id' collate "C") from changed), '[]') as changed`,
    [clientId, orderId, items, hold?.at ?? null, hold?.until ?? null],
  );
  return rows[0] as { found: number; changed: HoldChange[] };
}

const holdState = (row: string) => `json_build_object('held', ${row}.held_at is not null, 'until', ${row}.held_until)`;
/** The change of an updated item `i` from its state `before`. */
const holdChange = (before: string) =>
  `json_build_object('id', i.id, 'from', ${holdState(before)}, 'to', ${holdState("i")}) as change`;

/** Changes holds, each from one state to another; items in a different state stay as they are. */
export async function updateHolds(
  db: Db,
  clientId: string,
  orderId: string,
  changes: HoldChange[],
  at: Date,
): Promise<{ found: number; changed: HoldChange[] }> {
  const given = changes.map(({ id, from, to }) => ({
    id,
    ...{ was_held: from.held, was_until: from.until, held: to.held, until: to.until },
  }));
  const { rows } = await db.query<{ found: number; changed: HoldChange[] }>(
    `with given as (
       select * from jsonb_to_recordset($3::jsonb) as g(id text, was_held boolean, was_until date, held boolean, until date)
     ), wanted as (
       select id, held_at, held_until from order_items
        where client_id = $1 and order_id = $2 and id in (select id from given) order by id for update
     ), changed as (
       update order_items i set held_at = case when g.held then $4::timestamptz end, held_until = g.until
         from given g join wanted w on w.id = g.id
        where i.client_id = $1 and i.order_id = $2 and i.id = g.id
          and (w.held_at is not null, w.held_until) is not distinct from (g.was_held, g.was_until)
          and (g.was_held, g.was_until) is distinct from (g.held, g.until)
       returning ${holdChange("w")}
     )
     select (select count(*)::int from wanted) as found,
            coalesce((select json_agg(change order by change->>'id' collate "C") from changed), '[]') as changed`,
    [clientId, orderId, JSON.stringify(given), at],
  );
  return rows[0] as { found: number; changed: HoldChange[] };
}

/** Whether an item is invited for, and what the merchant or a person set (null: nothing, the catalog decides). */
type ExclusionState = { reviewable: boolean; override: boolean | null };
type ExclusionChange = { id: string; from: ExclusionState; to: ExclusionState };

const exclusionState = (row: string) =>
  `json_build_object('reviewable', ${row}.reviewable, 'override', ${row}.reviewable_set)`;
/** The change of an updated item `i` from its state `before`. */
const exclusionChange = (before: string) =>
  `json_build_object('id', i.id, 'from', ${exclusionState(before)}, 'to', ${exclusionState("i")}) as change`;

/**
 * Excludes items from invitations as a merchant's `reviewable: false` does, or includes them as `true` does. Returns
 * what changed.
 */
export async function updateItemExclusions(
  db: Db,
  clientId: string,
  orderId: string,
  items: string[],
  excluded: boolean,
): Promise<ExclusionChange[]> {
  const { rows } = await db.query<{ change: ExclusionChange }>(
    `with wanted as (
       select id, reviewable, reviewable_set from order_items
        where client_id = $1 and order_id = $2 and id = any($3) order by id for update
     ), changed as (
       update order_items i set reviewable_set = not $4, reviewable = not $4, updated_at = clock_timestamp()
         from wanted w
        where i.client_id = $1 and i.order_id = $2 and i.id = w.id
          and case when $4 then w.reviewable_set is distinct from false else not w.reviewable end
       returning ${exclusionChange("w")}
     )
     select change from changed order by change->>'id' collate "C"`,
    [clientId, orderId, items, excluded],
  );
  return rows.map(({ change }) => change);
}

/**
 * Changes exclusions, each from one state to another; items in a different state stay as they are. Returns the number
 * of items found and those changed.
 */
export async function updateExclusions(
  db: Db,
  clientId: string,
  orderId: string,
  changes: ExclusionChange[],
): Promise<{ found: number; changed: ExclusionChange[] }> {
  const given = changes.map(({ id, from, to }) => ({
    id,
    ...{ was: from.reviewable, was_override: from.override, reviewable: to.reviewable, override: to.override },
  }));
  const { rows } = await db.query<{ found: number; changed: ExclusionChange[] }>(
    `with given as (
       select * from jsonb_to_recordset($3::jsonb)
         as g(id text, was boolean, was_override boolean, reviewable boolean, override boolean)
     ), wanted as (
       select id, reviewable, reviewable_set from order_items
        where client_id = $1 and order_id = $2 and id in (select id from given) order by id for update
     ), changed as (
       update order_items i set reviewable_set = g.override, reviewable = g.reviewable, updated_at = clock_timestamp()
         from given g join wanted w on w.id = g.id
        where i.client_id = $1 and i.order_id = $2 and i.id = g.id
          and (w.reviewable, w.reviewable_set) is not distinct from (g.was, g.was_override)
          and (g.was, g.was_override) is distinct from (g.reviewable, g.override)
       returning ${exclusionChange("w")}
     )
     select (select count(*)::int from wanted) as found,
            coalesce((select json_agg(change order by change->>'id' collate "C") from changed), '[]') as changed`,
    [clientId, orderId, JSON.stringify(given)],
  );
  return rows[0] as { found: number; changed: ExclusionChange[] };
}

/** Adds a person's decisions to the items' histories. */
export async function insertItemNotes(
  db: Db,
  clientId: string,
  items: { order_id: string; item_id: string }[],
  { action, until, at }: { action: string; until: string | null; at: Date },
  actor: { kind: string; id: string },
): Promise<void> {
  await db.query(
    `insert into item_notes (client_id, order_id, item_id, action, until, actor_kind, actor_id, at)
     select $1, order_id, item_id, $3, $4, $5, $6, $7 from jsonb_to_recordset($2::jsonb) as g(order_id text, item_id text)`,
    [clientId, JSON.stringify(items), action, until, actor.kind, actor.id, at],
  );
}
