import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { recordItemActions } from "@/lib/orders/record-item-actions";
import type { HoldChange } from "@/lib/orders/schema";
import { dayIn, now } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { updateHolds, updateItemHolds } from "./portal-sql";

type By = Pick<Actor, "kind" | "id">;

/**
 * Holds items of an order, or all if `items` is absent: no invitations for them until `until`, or without it until
 * released (`held: false`). Keeps longer holds. Changes are recorded in the items' histories and the audit, and
 * returned for {@link changeHolds} to undo them. API responses don't change. Throws `invalid_field` if `until` isn't in
 * the future, and `not_found`, changing nothing, if an item doesn't exist. Joins the transaction of `db`.
 */
export async function holdItems(
  db: Db,
  actor: By,
  client: Pick<ClientRow, "id" | "config">,
  orderId: string,
  { held, until = null, items }: { held: boolean; until?: string | null; items?: string[] },
): Promise<HoldChange[]> {
  if (until !== null && (!held || until <= dayIn(timeZoneOf(client))))
    throw new AppError("invalid_field", {
      issues: [{ field: "until", reason: held ? "not_a_future_day" : "held_items_only" }],
    });
  const itemIds = items === undefined ? null : [...new Set(items)];
  const { found, changed } = await updateItemHolds(db, client.id, orderId, itemIds, held ? { at: now(), until } : null);
  if (found === 0 || (itemIds !== null && found < itemIds.length)) throw itemsNotFoundError();
  await recordChanges(db, actor, client.id, orderId, changed);
  return changed;
}

/**
 * Changes holds, each from one state to another, such as to undo {@link holdItems}. Items in a different state were
 * changed by another user and stay. Records and returns changes as `holdItems` does. Throws `not_found`, changing
 * nothing, if an item doesn't exist.
 */
export function changeHolds(
  actor: By,
  client: Pick<ClientRow, "id">,
  orderId: string,
  changes: HoldChange[],
): Promise<HoldChange[]> {
  return transaction(async (db) => {
    const { found, changed } = await updateHolds(db, client.id, orderId, changes, now());
    if (found < changes.length) throw itemsNotFoundError();
    await recordChanges(db, actor, client.id, orderId, changed);
    return changed;
  });
}

const itemsNotFoundError = () => new AppError("not_found", { reason: "order_or_item_not_found" });

/** Records changes in the items' histories and in the audit, one audit entry per new state. */
async function recordChanges(
  db: Db,
  actor: By,
  clientId: string,
  orderId: string,
  changes: HoldChange[],
): Promise<void> {
  for (const group of Map.groupBy(changes, ({ to }) => JSON.stringify(to)).values()) {
    const { held, until } = (group[0] as HoldChange).to;
    const items = group.map(({ id }) => id);
    const decision = { action: held ? "held" : "released", until } as const;
    await recordItemActions(
      db,
      clientId,
      items.map((item_id) => ({ order_id: orderId, item_id })),
      decision,
      actor,
    );
    await recordAudit(db, {
      clientId,
      actor,
      action: held ? "order.held" : "order.released",
      subject: orderId,
      detail: { items, ...(held && { until }) },
    });
  }
}
