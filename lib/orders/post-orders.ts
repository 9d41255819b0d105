import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import type { OrderInput } from "@/lib/orders/schema";
import { storeOrders } from "@/lib/orders/store-order";
import { enqueue } from "@/lib/outbox/enqueue";

/**
 * Adds or updates several orders as `postOrder` does one, in one transaction: all of them or none. No two may be the same
 * order or of the same customer.
 */
export async function postOrders(client: Pick<ClientRow, "id">, orders: OrderInput[]): Promise<void> {
  if (orders.length === 0) return;
  await transaction(async (db) => {
    await storeOrders(
      db,
      orders.map((order) => ({ clientId: client.id, customer: order.customer, order })),
    );
    await enqueue(
      db,
      orders.map(({ id }) => ({ name: "order/received", data: { client_id: client.id, order_id: id } })),
    );
  });
}
