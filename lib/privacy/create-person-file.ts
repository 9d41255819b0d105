import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { listParsedOrders } from "@/lib/orders/list-orders";
import type { Order } from "@/lib/orders/schema";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { MAX_CUSTOMERS } from "@/lib/privacy/find-person";
import type { Person } from "@/lib/privacy/person";
import type { PersonFile } from "@/lib/privacy/schema";
import { viewPersonalData } from "@/lib/privacy/view-personal-data";
import { selectCustomers, selectNotesAbout } from "./sql";

/** Maximum orders in a file; a shared customer id ("guest") may have more. */
const MAX_ORDERS = 2_000;
const PAGE = 500;

/**
 * Everything stored about a person, as a file for them: the API's view, the team's notes and their orders. The audit records who created
 * it and how much is in it, but not whose data it is.
 */
export async function createPersonFile(actor: Actor, client: ClientRow, person: Person): Promise<PersonFile> {
  const rows = await selectNotesAbout(pool(), client.id, person);
  const notes = rows.map(({ at, ...note }) => ({ ...note, at: toIsoSeconds(at) }));
  return { ...(await createOwnFile(actor, client, person, notes.length)), notes };
}

/**
 * The file that a person downloads themselves: without the team's notes, which may name others, and which an admin reads
 * before handing them out. `notes`: how many a caller adds, for the audit.
 */
export async function createOwnFile(
  actor: Actor,
  client: ClientRow,
  person: Person,
  notes = 0,
): Promise<Omit<PersonFile, "notes">> {
  const [data, customers] = await Promise.all([
    viewPersonalData(client, person),
    selectCustomers(pool(), client.id, person, MAX_CUSTOMERS),
  ]);
  const { orders, isTruncated } = await ordersOf(actor, client, customers);
  const counts = Object.entries({ ...data, orders }).flatMap(([what, rows]) =>
    Array.isArray(rows) && rows.length > 0 ? [[what, rows.length] as const] : [],
  );
  if (notes > 0) counts.push(["notes", notes]);
  await recordAudit(pool(), {
    clientId: client.id,
    actor,
    action: "personal_data.copied",
    subject: newId("copy"),
    detail: { held: Object.fromEntries(counts) },
  });
  return {
    client: client.display_name,
    made_at: toIsoSeconds(now()),
    personal_data: data,
    orders,
    orders_left_out: isTruncated,
  };
}

async function ordersOf(
  actor: Actor,
  client: ClientRow,
  customers: string[],
): Promise<{ orders: Order[]; isTruncated: boolean }> {
  const orders: Order[] = [];
  for (const customer_id of customers) {
    let after: string | undefined;
    do {
      const url = new URL("/v1/orders", env().PUBLIC_URL);
      const { data, links } = await listParsedOrders(actor, client, { customer_id, limit: PAGE, after }, url);
      orders.push(...data);
      if (orders.length > MAX_ORDERS) return { orders: orders.slice(0, MAX_ORDERS), isTruncated: true };
      after = links.next ? (new URL(links.next).searchParams.get("after") ?? undefined) : undefined;
    } while (after !== undefined);
  }
  return { orders, isTruncated: false };
}
