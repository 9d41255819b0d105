import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { recordItemDecisions } from "@/lib/orders/record-item-decisions";
import type { HoldChange } from "@/lib/orders/schema";
import { dayIn, now } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { updateHeld, updateHolds } from "./portal-sql";

type By = Pick<Actor, "kind" | "id">;

/**
 * Holds items of an order back, all without `items`: nobody is asked about them until the day given, or, without one, until
 * they are let go (`held: false`). What is held back for as long or longer already, or free, stays so; what changes is noted in the
 * history of the item and in the audit, and answered, for {@link changeHolds} to take it back. The API's readers see nothing
 * of it. Throws `invalid_field` for a day that is not to come, and `not_found`, changing nothing, for an order without items
 * of these ids.
 */
export async function holdItems(
  actor: By,
  client: Pick<ClientRow, "id" | "config">,
  orderId: string,
  { held, until = null, items }: { held: boolean; until?: string | null; items?: string[] },
): Promise<HoldChange[]> {
  if (until !== null && (!held || until <= dayIn(timeZoneOf(client))))
    throw new AppError("invalid_field", {
      issues: [{ field: "until", reason: held ? "not_a_future_day" : "held_items_only" }],
    });
  const wanted = items === undefined ? null : [...new Set(items)];
  return transaction(async (db) => {
    const { found, changed } = await updateHeld(db, client.id, orderId, wanted, held ? { at: now(), until } : null);
    if (found === 0 || (wanted !== null && found < wanted.length)) throw itemsNotFoundError();
    await recordChanges(db, actor, client.id, orderId, changed);
    return changed;
  });
}

/**
 * Changes how items of an order are held back, each from one state to another, as an undo does: what is in another
 * state by now was changed by somebody else, and stays. Noted as {@link holdItems} notes. Answers what changed. Throws `not_found`,
 * changing nothing, for an order without items of these ids.
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

/** Notes changes in the items' histories and in the audit, those to one state together. */
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
    await recordItemDecisions(
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
