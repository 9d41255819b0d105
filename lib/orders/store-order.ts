import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type OrderWrite, orderParameters, orderWrites } from "@/lib/orders/order-writes";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { selectBuyer } from "./sql";

const text = `with ${orderWrites("$1", "$2")} select count(*) from written`;

/**
 * Adds an order or updates the one with this id, inside the caller's transaction: items are added or updated, never
 * removed; absent keys keep what is stored. Or stores a customer alone.
 */
export const storeOrder = (db: Db, write: OrderWrite): Promise<void> => storeOrders(db, [write]);

/** The same for several, no two of which name the same customer or order. */
export async function storeOrders(db: Db, writes: OrderWrite[]): Promise<void> {
  await db.query({ name: statementName(text), text, values: orderParameters(writes) });
}

/** The id of the customer whose order it is; null where there is no such order. */
export const buyerOf = (db: Db, client: Pick<ClientRow, "id">, orderId: string): Promise<string | null> =>
  selectBuyer(db, client.id, orderId);
