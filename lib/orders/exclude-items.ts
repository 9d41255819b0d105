import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { recordItemActions } from "@/lib/orders/record-item-actions";
import type { ExclusionChange } from "@/lib/orders/schema";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { updateExclusions, updateItemExclusions } from "./portal-sql";

type By = Pick<Actor, "kind" | "id">;

/**
 * Excludes items of an order from invitations, or includes them again, and records it in their histories and the audit.
 * Returns what changed, for {@link changeExclusions} to undo it. Joins the transaction of `db`.
 */
export async function excludeItems(
  db: Db,
  actor: By,
  client: Pick<ClientRow, "id">,
  orderId: string,
  { excluded, items }: { excluded: boolean; items: string[] },
): Promise<ExclusionChange[]> {
  const changed = await updateItemExclusions(db, client.id, orderId, items, excluded);
  await recordChanges(db, actor, client.id, orderId, changed);
  return changed;
}

/**
 * Changes exclusions, each from one state to another, such as to undo {@link excludeItems}. Items in a different state
 * were changed by another user or by an import and stay. Records and returns changes as `excludeItems` does. Throws
 * `not_found`, changing nothing, if an item doesn't exist.
 */
export function changeExclusions(
  actor: By,
  client: Pick<ClientRow, "id">,
  orderId: string,
  changes: ExclusionChange[],
): Promise<ExclusionChange[]> {
  return transaction(async (db) => {
    const { found, changed } = await updateExclusions(db, client.id, orderId, changes);
    if (found < changes.length) throw new AppError("not_found", { reason: "order_or_item_not_found" });
    await recordChanges(db, actor, client.id, orderId, changed);
    return changed;
  });
}

/** Whether a change stops invitations. Ending an exclusion doesn't, even if the catalog still prevents a product's. */
const isExclusion = ({ from, to }: ExclusionChange): boolean =>
  to.override === false || (from.override !== false && !to.reviewable);

/** Records changes in the items' histories and in the audit, one audit entry per kind of change. */
async function recordChanges(
  db: Db,
  actor: By,
  clientId: string,
  orderId: string,
  changes: ExclusionChange[],
): Promise<void> {
  for (const [excluded, group] of Map.groupBy(changes, isExclusion)) {
    const items = group.map(({ id }) => id);
    const keys = items.map((item_id) => ({ order_id: orderId, item_id }));
    await recordItemActions(db, clientId, keys, { action: excluded ? "excluded" : "included" }, actor);
    await recordAudit(db, {
      clientId,
      actor,
      action: excluded ? "order.excluded" : "order.included",
      subject: orderId,
      detail: { items },
    });
  }
}
