import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { OrderLine } from "@/lib/orders/schema";
import type { OrderSort } from "@/lib/orders/values";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { MIN_SEARCH_LENGTH } from "@/lib/platform/http/values";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { MAX_FOUND, type OrderLineRow, type OrderSearch, selectOrderLines, selectOrderLinesOf } from "./portal-sql";

export { MAX_FOUND };

const PAGE = 50;

/** How a search matched, in the order in which it is tried. */
const ways = ["exact", "sku", "start", "words"] as const;
export type FoundBy = (typeof ways)[number];
const orderOf: Record<FoundBy, string> = {
  exact: "orders.newest",
  sku: "orders.of_sku",
  start: "orders.by_id",
  words: "orders.of_words",
};

/**
 * A page of the client's orders, by `sort`. `q` is an exact order id, customer id or email address in any spelling;
 * otherwise the SKU of an item; otherwise the beginning of an order id, and the page is sorted by id; otherwise words of
 * a customer, a product, an item or an order id, for which the newest 500 orders are listed. Orders found are listed
 * newest first, whatever `sort` is. Customers are found only for people who may see personal data. `next` is the cursor
 * of the next page. Throws `invalid_cursor`.
 */
export async function listPortalOrders(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  { q, after, sort = "newest" }: { q?: string; after?: string; sort?: OrderSort },
): Promise<{ orders: OrderLine[]; next: string | null; by: FoundBy }> {
  const people = maySeePeople(actor);
  const text = q?.trim();
  const from = after === undefined ? null : text ? readCursor(after) : readSortCursor(after, sort);
  const select = (search: OrderSearch | null) => selectOrderLines(pool(), client.id, search, from, PAGE + 1, sort);
  const searches = (given: string): Record<FoundBy, OrderSearch> => ({
    exact: { text: given, person: people ? { id: given, email: emailKey(given) } : null },
    sku: { sku: given },
    start: { start: given },
    words: { words: given, people },
  });
  let by: FoundBy = from?.by ?? "exact";
  let rows = await select(text ? searches(text)[by] : null);
  // The first page tries the next way if one finds nothing; the others continue the same way.
  if (text && !from)
    for (const way of ways.slice(1)) {
      if (rows.length > 0 || (way === "words" && text.length < MIN_SEARCH_LENGTH)) break;
      by = way;
      rows = await select(searches(text)[way]);
    }
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const next =
    rows.length > PAGE && last
      ? encodeCursor({
          order: text ? orderOf[by] : `orders.${sort}`,
          key: [last.listed_at.toISOString(), last.id],
          startedAt: null,
        })
      : null;
  return { orders: shown.map((row) => toLine(row, people)), next, by };
}

/** The order, and its key, of a cursor of all orders. */
export function readSortCursor(after: string, sort: OrderSort): { by: FoundBy; time: string; id: string } {
  const [time = "", id = ""] = decodeCursor(after, `orders.${sort}`, ["time", "text"]).key;
  return { by: "exact", time, id };
}

/** A cursor of any way to search. */
function readCursor(after: string): { by: FoundBy; time: string; id: string } {
  for (const by of ways) {
    try {
      const [time = "", id = ""] = decodeCursor(after, orderOf[by], ["time", "text"]).key;
      return { by, time, id };
    } catch (error) {
      // Otherwise it may be of another way.
      if (!(error instanceof AppError) || by === ways.at(-1)) throw error;
    }
  }
  throw new Error("No way to search.");
}

/** Orders by their ids, in that order. */
export async function orderLinesOf(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  ids: string[],
): Promise<OrderLine[]> {
  const people = maySeePeople(actor);
  return (await selectOrderLinesOf(pool(), client.id, ids)).map((row) => toLine(row, people));
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
