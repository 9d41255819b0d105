import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { noPeople } from "@/lib/accounts/no-people";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Order, OrderFilter } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/page";
import { type RawJson, rawPage } from "@/lib/platform/http/reply";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { selectOrderPage } from "./sql";

type Asked = [actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">, filter: OrderFilter, url: URL];

/**
 * A page of the client's orders by (created_at, id). `customer_email` matches any spelling. Who may not see people gets
 * orders without their customers, and cannot filter by them (`forbidden`). Throws `invalid_cursor`.
 */
export async function listOrders(...asked: Asked): Promise<RawJson> {
  const { rows, next } = await page(...asked);
  return rawPage(
    rows.map(({ json }) => [json, ""] as const),
    next,
  );
}

/** The same, read. */
export async function readOrders(...asked: Asked): Promise<{ data: Order[]; links: { next?: string } }> {
  const { rows, next } = await page(...asked);
  return { data: rows.map(({ json }) => JSON.parse(json)), links: next ? { next } : {} };
}

async function page(
  ...[actor, client, filter, url]: Asked
): Promise<{ rows: { json: string }[]; next: string | undefined }> {
  const people = maySeePeople(actor);
  if (!people && filter.customer_id !== undefined) throw noPeople("customer_id");
  if (!people && filter.customer_email !== undefined) throw noPeople("customer_email");
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, "orders", ["time", "text"]);
  const address = filter.customer_email === undefined ? null : emailKey(filter.customer_email);
  const rows = await selectOrderPage(pool(), client.id, filter, address, cursor, { people });
  const { shown, last } = cutPage(rows, filter.limit);
  const next =
    last &&
    nextLink(env().PUBLIC_URL, url, {
      order: "orders",
      key: [last.created_at.toISOString(), last.id],
      began: cursor?.began ?? last.read_at.toISOString(),
    });
  return { rows: shown, next };
}
