import type { Day } from "@/lib/invitations/days";
import type { FilterReason, SoonSort } from "@/lib/invitations/values";
import { orderSortSql } from "@/lib/orders/portal-sql";
import type { OrderSort } from "@/lib/orders/values";
import type { Db } from "@/lib/platform/db/pool";

export type ScannedItem = { order_id: string; item_id: string; delivery_date: Day };

/** Items delivered from `first` to `last` that no invitation contains, by delivery date, after a position. */
export async function selectUnaskedItems(
  db: Db,
  clientId: string,
  { first, last }: { first: Day; last: Day },
  sort: SoonSort,
  after: ScannedItem | null,
  limit: number,
): Promise<ScannedItem[]> {
  const [direction, than] = sort === "soonest" ? ["", ">"] : ["desc", "<"];
  const position = after ? `and (delivery_date, order_id, id) ${than} ($5::date, $6, $7)` : "";
  const { rows } = await db.query<ScannedItem>(
    `select order_id, id as item_id, delivery_date from order_items
      where client_id = $1 and reviewable and delivery_date is not null and not asked
        and delivery_date between $2::date and $3::date ${position}
      order by delivery_date ${direction}, order_id ${direction}, id ${direction} limit $4`,
    [clientId, first, last, limit, ...(after ? [after.delivery_date, after.order_id, after.item_id] : [])],
  );
  return rows;
}

// Subqueries with a limit, since PostgreSQL would turn `exists` into a join that may read a whole table.
const found = (from: string) => `((select true from ${from} limit 1) is not null)`;
const hasItem = (condition: string) =>
  found(`order_items i where i.client_id = $1 and i.order_id = o.id and ${condition}`);
const customer = (condition: string) =>
  found(`customers c where c.client_id = $1 and c.id = o.customer_id and ${condition}`);
/** Whether any customer id with the address of the order's customer has a row of another table. */
const samePerson = (join: string) =>
  customer(found(`customers same join ${join} where same.client_id = $1 and same.email_key = c.email_key`));
const suppressedFor = (condition: string) =>
  found(`suppressions s where s.client_id = $1 and s.email_hash = c.email_hash and ${condition}`);
const failed = found(`invitation_items ii join invitations n on n.client_id = $1 and n.id = ii.invitation_id
    where ii.client_id = $1 and ii.order_id = o.id and n.status = 'failed' and n.sent_at is null`);

/**
 * What an order must have for a reason to apply; most of them are evaluated afterwards. `days.expired`: items delivered
 * before that day can't be invited any more.
 */
const requirements: Record<FilterReason, string> = {
  excluded: hasItem("i.reviewable_set is false"),
  held: hasItem("i.held_at is not null"),
  opted_out: customer(
    `(${suppressedFor("s.reason = 'opt_out'")} or ${found(
      "customers same where same.client_id = $1 and same.email_key = c.email_key and same.opt_out_by_order",
    )})`,
  ),
  suppressed: customer(suppressedFor("s.reason <> 'opt_out'")),
  quarantine: samePerson("quarantines q on q.client_id = $1 and q.person_hash in (same.id_hash, same.email_hash)"),
  already_reviewed: `(${customer(found("reviews v where v.client_id = $1 and v.email_key = c.email_key"))}
      or ${samePerson("reviews v on v.client_id = $1 and v.customer_id = same.id")})`,
  too_late: hasItem("i.delivery_date < days.expired"),
  not_reviewable: hasItem("not i.reviewable and i.reviewable_set is distinct from false"),
  product_deleted: found(`order_items i join products p on p.client_id = $1 and p.id = i.id
      where i.client_id = $1 and i.order_id = o.id and p.deleted`),
  no_delivery_date: hasItem("i.delivery_date is null"),
  no_email: customer("c.email_key is null"),
  failed,
};

/** Orders to which a reason may apply, where an index finds them. */
const ordersWith = {
  excluded: "select order_id from order_items where client_id = $1 and reviewable_set is false",
  held: "select order_id from order_items where client_id = $1 and held_at is not null",
  no_delivery_date: "select order_id from order_items where client_id = $1 and delivery_date is null",
  failed: `select ii.order_id from invitations n join invitation_items ii on ii.client_id = $1 and ii.invitation_id = n.id
    where n.client_id = $1 and n.status = 'failed' and n.sent_at is null`,
} satisfies Partial<Record<FilterReason, string>>;

const isIndexed = (reason: FilterReason): reason is keyof typeof ordersWith => reason in ordersWith;

export type ScannedOrder = { id: string; created_at: Date };

/**
 * Reads up to `maxScanned` orders in a sort's order, and yields those to which a reason not to invite may apply, `batch`
 * at a time and up to `limit`: no email asked about them, and they have no review. It reads only as far as needed for
 * the batches that are taken. If an index finds no more than `maxScanned` orders that have what the reason needs, only
 * these are read, all at once. `expired`: see {@link requirements}. `edge`: the last order read, null if there are no
 * more.
 */
export async function* readOrdersToEvaluate(
  db: Db,
  clientId: string,
  reason: FilterReason | null,
  sort: OrderSort,
  after: { time: string; id: string } | null,
  { expired, maxScanned, limit, batch }: { expired: Day; maxScanned: number; limit: number; batch: number },
): AsyncGenerator<{ rows: ScannedOrder[]; edge: ScannedOrder | null }> {
  // Without a reason, orders whose email failed are looked for, too.
  const indexed = reason === null ? ordersWith.failed : isIndexed(reason) ? ordersWith[reason] : null;
  const few = indexed !== null && (await hasAtMost(db, clientId, indexed, maxScanned)) ? indexed : null;
  const readsFew = reason !== null && few !== null;
  // `offset 0`: they are looked up by their ids, not searched for in the list's order.
  const orders = readsFew
    ? `(select * from orders where client_id = $1 and id = any(array(${few})) offset 0)`
    : "orders";
  const open = `not ${hasItem("i.asked")}`;
  const possible =
    reason === null
      ? `(${open} or ${few === null ? failed : `o.id in (${few})`})`
      : reason === "failed"
        ? failed
        : `${open} and ${requirements[reason]}`;
  const isCandidate = `${possible} and not ${found("reviews v where v.client_id = $1 and v.order_id = o.id")}`;
  const { order, after: isAfter } = orderSortSql[sort];
  let position = after;
  for (let scanned = 0, yielded = 0; scanned < maxScanned && yielded < limit; ) {
    const wanted = Math.min(readsFew ? limit : batch, limit - yielded);
    const values: unknown[] = [clientId, expired];
    const value = (given: unknown) => `$${values.push(given)}`;
    const where = ["o.client_id = $1"];
    if (position)
      where.push(
        sort.startsWith("number") ? isAfter("", value(position.id)) : isAfter(value(position.time), value(position.id)),
      );
    const { rows: read } = await db.query<ScannedOrder & { is_candidate: boolean; nth: number }>(
      `select * from (
         select o.id, o.created_at, ${isCandidate} as is_candidate, (row_number() over (order by ${order}))::int as nth
           from (select * from ${orders} o where ${where.join(" and ")} order by ${order} limit ${maxScanned - scanned}) o
          cross join (select $2::date as expired) days) o
        where is_candidate or nth = ${maxScanned - scanned} order by ${order} limit ${wanted}`,
      values,
    );
    const rows = read.filter(({ is_candidate }) => is_candidate);
    const last = read.at(-1);
    const isEnd = read.length < wanted && last?.nth !== maxScanned - scanned;
    const edge = isEnd || !last ? null : last;
    yield { rows, edge };
    if (!edge) return;
    scanned += edge.nth;
    yielded += rows.length;
    position = { time: edge.created_at.toISOString(), id: edge.id };
  }
}

/** Whether a query of a store returns at most `limit` rows. */
async function hasAtMost(db: Db, clientId: string, query: string, limit: number): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from (${query} limit $2) found`, [
    clientId,
    limit + 1,
  ]);
  return (rows[0]?.count ?? 0) <= limit;
}
