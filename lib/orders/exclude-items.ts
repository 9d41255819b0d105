import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { recordItemActions } from "@/lib/orders/record-item-actions";
import type { Db } from "@/lib/platform/db/pool";
import { updateExclusions } from "./portal-sql";

/**
 * Excludes items of an order from invitations, or includes them again, and records it in their histories and the audit.
 * Returns the ids of the items that changed. Joins the transaction of `db`.
 */
export async function excludeItems(
  db: Db,
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  orderId: string,
  { excluded, items }: { excluded: boolean; items: string[] },
): Promise<string[]> {
  const changed = await updateExclusions(db, client.id, orderId, items, excluded);
  if (changed.length === 0) return changed;
  const keys = changed.map((item_id) => ({ order_id: orderId, item_id }));
  await recordItemActions(db, client.id, keys, { action: excluded ? "excluded" : "included" }, actor);
  await recordAudit(db, {
    clientId: client.id,
    actor,
    action: excluded ? "order.excluded" : "order.included",
    subject: orderId,
    detail: { items: changed },
  });
  return changed;
}
