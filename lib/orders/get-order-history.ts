import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { OrderHistory } from "@/lib/orders/schema";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { selectHeldItems, selectOrderInvitations, selectOrderReviews } from "./portal-sql";

/**
 * An order's invitations, reviews and held items. Empty if the order doesn't exist. `starsHidden`: without the scores of
 * reviews that aren't decided yet.
 */
export async function getOrderHistory(
  client: Pick<ClientRow, "id" | "config">,
  orderId: string,
  { starsHidden = false }: { starsHidden?: boolean } = {},
): Promise<OrderHistory> {
  const [invitations, reviews, held] = await Promise.all([
    selectOrderInvitations(pool(), client.id, orderId),
    selectOrderReviews(pool(), client.id, orderId),
    selectHeldItems(pool(), client.id, orderId, dayIn(timeZoneOf(client))),
  ]);
  return {
    invitations: invitations.map((row) => ({
      ...row,
      sent_at: row.sent_at && toIsoSeconds(row.sent_at),
      clicked_at: row.clicked_at && toIsoSeconds(row.clicked_at),
    })),
    reviews: reviews.map((row) => (starsHidden && row.accepted === null ? { ...row, score: null } : row)),
    held,
  };
}
