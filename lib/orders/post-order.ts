import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import type { Order, OrderInput } from "@/lib/orders/schema";
import { toOrder } from "@/lib/orders/serialize";
import { storeOrder } from "@/lib/orders/store-order";
import { enqueue } from "@/lib/outbox/enqueue";
import { selectOrder } from "./sql";

/**
 * Adds an order or updates the one with this id: items are added or updated, never removed; absent keys keep what is
 * stored. Two posts of one order at the same moment leave one row and both get it back. Answers the whole order as it
 * stands in the database afterwards.
 */
export async function postOrder(client: Pick<ClientRow, "id">, order: OrderInput): Promise<Order> {
  return transaction(async (db) => {
    await storeOrder(db, { clientId: client.id, customer: order.customer, order });
    await enqueue(db, [{ name: "order/received", data: { client_id: client.id, order_id: order.id } }]);
    const row = await selectOrder(db, client.id, order.id);
    if (!row) throw new AppError("internal", "The order was written but cannot be read.");
    return toOrder(row, { people: true });
  });
}
