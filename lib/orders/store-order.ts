import type { ClientRow } from "@/lib/clients/get-client";
import type { Db } from "@/lib/db/pool";
import type { OrderInput } from "@/lib/orders/schema";
import { emailKey, personHash } from "@/lib/personal-data/person-hash";
import { selectBuyer, upsertOrder } from "./sql";

/**
 * Adds an order or updates the one with this id, inside the caller's transaction: items are added or updated, never
 * removed; absent keys keep what is stored.
 */
export async function storeOrder(db: Db, client: Pick<ClientRow, "id">, order: OrderInput): Promise<void> {
  const { email } = order.customer;
  await upsertOrder(db, client.id, order, {
    ...order.customer,
    id_hash: personHash(client.id, "customer", order.customer.id),
    email_key: email && emailKey(email),
    email_hash: email && personHash(client.id, "email", email),
  });
}

/** The id of the customer whose order it is; null where there is no such order. */
export const buyerOf = (db: Db, client: Pick<ClientRow, "id">, orderId: string): Promise<string | null> =>
  selectBuyer(db, client.id, orderId);
