import type { ClientRow } from "@/lib/clients/get-client";
import { writePool } from "@/lib/db/pool";
import type { OrderInput } from "@/lib/orders/schema";
import { storeOrders } from "@/lib/orders/store-order";

/**
 * Adds or updates several orders as `postOrder` does one, in one statement: all of them or none. No two may be the same
 * order or of the same customer.
 */
export async function postOrders(client: Pick<ClientRow, "id">, orders: OrderInput[]): Promise<void> {
  if (orders.length === 0) return;
  await storeOrders(
    writePool(),
    orders.map((order) => ({ clientId: client.id, customer: order.customer, order })),
  );
}
