import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { customersHiddenError } from "@/lib/accounts/customers-hidden";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Order, OrderFilter } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { type RawJson, rawPage } from "@/lib/platform/http/reply";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { selectOrderPage } from "./sql";

type ListOrdersArgs = [actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">, filter: OrderFilter, url: URL];

/**
 * A page of the client's orders by (created_at, id). `customer_email` matches any spelling. Actors without access to
 * personal data get orders without customers and can't filter by them (`forbidden`). Throws `invalid_cursor`.
 */
export async function listOrders(...args: ListOrdersArgs): Promise<RawJson> {
  const { rows, next } = await page(...args);
  return rawPage(
    rows.map(({ json }) => [json, ""] as const),
    next,
  );
}

/** {@link listOrders}, parsed. */
export async function listParsedOrders(...args: ListOrdersArgs): Promise<{ data: Order[]; links: { next?: string } }> {
  const { rows, next } = await page(...args);
  return { data: rows.map(({ json }) => JSON.parse(json)), links: next ? { next } : {} };
}

async function page(
  ...[actor, client, filter, url]: ListOrdersArgs
): Promise<{ rows: { json: string }[]; next: string | undefined }> {
  const people = maySeePeople(actor);
  if (!people && filter.customer_id !== undefined) throw customersHiddenError("customer_id");
  if (!people && filter.customer_email !== undefined) throw customersHiddenError("customer_email");
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, "orders", ["time", "text"]);
  const address = filter.customer_email === undefined ? null : emailKey(filter.customer_email);
  const rows = await selectOrderPage(pool(), client.id, filter, address, cursor, { people });
  const { shown, last } = cutPage(rows, filter.limit);
  const next =
    last &&
    nextLink(env().PUBLIC_URL, url, {
      order: "orders",
      key: [last.created_at.toISOString(), last.id],
      startedAt: cursor?.startedAt ?? last.read_at.toISOString(),
    });
  return { rows: shown, next };
}
