import { type Actor, maySeePeople } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/http/page";
import { seconds } from "@/lib/http/seconds";
import type { OrderLine } from "@/lib/orders/schema";
import { emailKey } from "@/lib/personal-data/person-hash";
import { type OrderLineRow, selectOrderLines } from "./portal-sql";

const PAGE = 50;

/**
 * A page of the client's orders, newest first. `q` is exactly an order id, or for those who may see people a customer
 * id or an address in any spelling. `next` is the cursor of the following page. Throws `invalid_cursor`.
 */
export async function listRecentOrders(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  { q, after }: { q?: string; after?: string },
): Promise<{ orders: OrderLine[]; next: string | null }> {
  const people = maySeePeople(actor);
  const text = q?.trim();
  const search = text ? { text, person: people ? { id: text, email: emailKey(text) } : null } : null;
  const cursor = after === undefined ? null : decodeCursor(after, "orders.newest", ["time", "text"]);
  const from = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  const rows = await selectOrderLines(pool(), client.id, search, from, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const next =
    rows.length > PAGE && last
      ? encodeCursor({ order: "orders.newest", key: [last.created_at.toISOString(), last.id], began: null })
      : null;
  return { orders: shown.map((row) => toLine(row, people)), next };
}

const toLine = (row: OrderLineRow, people: boolean): OrderLine => ({
  id: row.id,
  created_at: seconds(row.created_at),
  store_name: row.store_name,
  customer: people ? { id: row.customer_id, name: row.customer_name, email: row.customer_email } : null,
  item_count: row.item_count,
  first_item: row.first_item,
  delivery_date: row.delivery_date,
  invited_at: row.invited_at && seconds(row.invited_at),
  review_count: row.review_count,
});
