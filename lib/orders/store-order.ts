import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type OrderWrite, orderParameters, orderWrites } from "@/lib/orders/order-writes";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { selectBuyer } from "./sql";

const text = `with ${orderWrites("$1", "$2")} select count(*) from written`;

/**
 * Creates or updates an order in the caller's transaction: items are added or updated, never removed; absent keys keep
 * stored values. Without an order, stores only the customer.
 */
export const storeOrder = (db: Db, write: OrderWrite): Promise<void> => storeOrders(db, [write]);

/** {@link storeOrder} for several, no two with the same customer or order. */
export async function storeOrders(db: Db, writes: OrderWrite[]): Promise<void> {
  await db.query({ name: statementName(text), text, values: orderParameters(writes) });
}

/** The id of an order's customer; null if the order doesn't exist. */
export const findCustomerId = (db: Db, client: Pick<ClientRow, "id">, orderId: string): Promise<string | null> =>
  selectBuyer(db, client.id, orderId);
