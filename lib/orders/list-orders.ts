import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { decodeCursor, nextLink } from "@/lib/http/page";
import type { Order, OrderFilter } from "@/lib/orders/schema";
import { toOrder } from "@/lib/orders/serialize";
import { emailKey } from "@/lib/personal-data/person-hash";
import { selectOrderPage } from "./sql";

type OrderPage = { data: Order[]; links: { next?: string } };

/** A page of the client's orders by (created_at, id). `customer_email` matches any spelling. Throws `invalid_cursor`. */
export async function listOrders(client: Pick<ClientRow, "id">, filter: OrderFilter, url: URL): Promise<OrderPage> {
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, "orders", ["time", "text"]);
  const address = filter.customer_email === undefined ? null : emailKey(filter.customer_email);
  const rows = await selectOrderPage(pool(), client.id, filter, address, cursor);
  const shown = rows.slice(0, filter.limit);
  const last = shown.at(-1);
  const next =
    rows.length > filter.limit && last
      ? nextLink(env().PUBLIC_URL, url, {
          order: "orders",
          key: [last.created_at.toISOString(), last.id],
          began: cursor?.began ?? last.read_at.toISOString(),
        })
      : undefined;
  return { data: shown.map(toOrder), links: next ? { next } : {} };
}
