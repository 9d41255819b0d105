import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { OrderLine } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type Cursor, decodeCursor, encodeCursor } from "@/lib/platform/http/page";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { type OrderLineRow, selectOrderLines } from "./portal-sql";

const PAGE = 50;

/** How a search matched: an order id or a person, or a SKU in the order. */
type FoundBy = "order" | "sku";
const orderOf: Record<FoundBy, string> = { order: "orders.newest", sku: "orders.of_sku" };

/**
 * A page of the client's orders, newest first. `q` is an exact order id, customer id or email address in any spelling
 * (the latter two only with access to personal data), otherwise the SKU of an item. `next` is the cursor of the next
 * page. Throws `invalid_cursor`.
 */
export async function listRecentOrders(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  { q, after }: { q?: string; after?: string },
): Promise<{ orders: OrderLine[]; next: string | null; by: FoundBy }> {
  const people = maySeePeople(actor);
  const text = q?.trim();
  const cursor = after === undefined ? null : readCursor(after, text !== undefined);
  const from = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  const search = text ? { text, person: people ? { id: text, email: emailKey(text) } : null } : null;
  let by: FoundBy = cursor?.order === orderOf.sku ? "sku" : "order";
  let rows = by === "order" ? await selectOrderLines(pool(), client.id, search, from, PAGE + 1) : [];
  if (text && (by === "sku" || (!cursor && rows.length === 0))) {
    by = "sku";
    rows = await selectOrderLines(pool(), client.id, { sku: text }, from, PAGE + 1);
  }
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const next =
    rows.length > PAGE && last
      ? encodeCursor({ order: orderOf[by], key: [last.listed_at.toISOString(), last.id], startedAt: null })
      : null;
  return { orders: shown.map((row) => toLine(row, people)), next, by };
}

/** A cursor of either list; a SKU cursor is valid only in a search. */
function readCursor(after: string, searching: boolean): Cursor {
  const ways = searching ? [orderOf.order, orderOf.sku] : [orderOf.order];
  for (const order of ways.slice(0, -1)) {
    try {
      return decodeCursor(after, order, ["time", "text"]);
    } catch (error) {
      if (!(error instanceof AppError)) throw error; // Otherwise it may be a cursor of the other list.
    }
  }
  return decodeCursor(after, ways.at(-1) as string, ["time", "text"]);
}

/** The newest orders of some customers, up to a limit. The caller must have access to personal data. */
export async function recentOrdersOf(
  client: Pick<ClientRow, "id">,
  customers: string[],
  limit: number,
): Promise<OrderLine[]> {
  const rows = await selectOrderLines(pool(), client.id, { customers }, null, limit);
  return rows.map((row) => toLine(row, true));
}

const toLine = (row: OrderLineRow, people: boolean): OrderLine => ({
  id: row.id,
  created_at: toIsoSeconds(row.created_at),
  store_name: row.store_name,
  customer: people ? { id: row.customer_id, name: row.customer_name, email: row.customer_email } : null,
  item_count: row.item_count,
  first_item: row.first_item,
  delivery_date: row.delivery_date,
  invited_at: row.invited_at && toIsoSeconds(row.invited_at),
  review_count: row.review_count,
});
