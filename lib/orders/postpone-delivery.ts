import { pool } from "@/lib/platform/db/pool";

/**
 * Moves an item's delivery date to `day` if it is earlier, after its customer says it hasn't arrived. The item stays
 * invited, so this causes no second email.
 */
export async function postponeDelivery(clientId: string, orderId: string, itemId: string, day: string): Promise<void> {
  await pool().query(
    `update order_items set delivery_date = $4::date, updated_at = now()
      where client_id = $1 and order_id = $2 and id = $3 and delivery_date < $4::date`,
    [clientId, orderId, itemId, day],
  );
}
