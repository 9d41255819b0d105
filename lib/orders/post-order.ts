import type { ClientRow } from "@/lib/clients/get-client";
import { gather } from "@/lib/db/gather";
import { statementName } from "@/lib/db/named";
import { isEnclosed, transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { type OrderWrite, orderNames, orderParameters, orderWrites } from "@/lib/orders/order-writes";
import type { Order, OrderInput } from "@/lib/orders/schema";
import { toOrder } from "@/lib/orders/serialize";
import { insertFromRows, outboxRows } from "@/lib/outbox/enqueue";
import { selectOrdersOf } from "./sql";

/** An order to be written, with the fact that tells of it as {@link outboxRows} gives it where it was posted. */
type Posted = { write: OrderWrite & { order: OrderInput }; fact: string };

/**
 * Adds an order or updates the one with this id: items are added or updated, never removed; absent keys keep what is
 * stored. Two posts of one order at the same moment leave one row and both get it back. Answers the whole order as it
 * stands in the database afterwards. Orders posted at the same moment are committed together.
 */
export async function postOrder(client: Pick<ClientRow, "id">, order: OrderInput): Promise<Order> {
  const posted: Posted = {
    write: { clientId: client.id, customer: order.customer, order },
    fact: outboxRows([{ name: "order/received", data: { client_id: client.id, order_id: order.id } }]),
  };
  if (!isEnclosed()) return gathered()(posted);
  const [stored] = await store([posted]);
  return stored as Order;
}

const gathered = () => gather<Posted, Order>("orders", store, { apart: ({ write }) => orderNames(write) });

const text = `with ${orderWrites("$1", "$2")}, told as (${insertFromRows("$3")}) select count(*) from written`;

async function store(all: Posted[]): Promise<Order[]> {
  const writes = all.map(({ write }) => write);
  const facts = `[${all.map(({ fact }) => fact.slice(1, -1)).join(",")}]`;
  const rows = await transaction(async (db) => {
    await db.query({ name: statementName(text), text, values: [...orderParameters(writes), facts] });
    return selectOrdersOf(
      db,
      writes.map(({ clientId, order }) => ({ clientId, id: order.id })),
    );
  });
  if (rows.length < all.length) throw new AppError("internal", "The order was written but cannot be read.");
  return rows.map((row) => toOrder(row, { people: true }));
}
