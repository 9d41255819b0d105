import { noteAudit } from "@/lib/accounts/note-audit";
import type { Actor } from "@/lib/auth/actor";
import { type ClientRow, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn, now } from "@/lib/clock";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { noteItems } from "@/lib/orders/note-items";
import { updateHeld } from "./portal-sql";

/**
 * Holds items of an order back, all without `items`: nobody is asked about them until the day given, or, without one, until
 * they are let go (`held: false`). What is held or free in that way already stays so; what changes is noted in the history
 * of the item and in the audit. The API's readers see nothing of it. Throws `invalid_field` for a day that is not to
 * come, and `not_found`, changing nothing, for an order without items of these ids.
 */
export async function holdItems(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id" | "config">,
  orderId: string,
  { held, until = null, items }: { held: boolean; until?: string | null; items?: string[] },
): Promise<void> {
  if (until !== null && (!held || until <= dayIn(timeZoneOf(client))))
    throw new AppError("invalid_field", "The day until which items are held back must be one to come.", {
      faults: [
        { field: "until", message: held ? "must be a day to come" : "is told of items that are held back only" },
      ],
    });
  const wanted = items === undefined ? null : [...new Set(items)];
  await transaction(async (db) => {
    const { found, changed } = await updateHeld(db, client.id, orderId, wanted, held ? { at: now(), until } : null);
    if (found === 0 || (wanted !== null && found < wanted.length))
      throw new AppError("not_found", "There is no such order, or one of the items is not in it.");
    if (changed.length === 0) return;
    const decision = { action: held ? "held" : "released", until } as const;
    const changes = changed.map((item_id) => ({ order_id: orderId, item_id }));
    await noteItems(db, client.id, changes, decision, actor);
    await noteAudit(db, {
      clientId: client.id,
      actor,
      action: held ? "order.held" : "order.released",
      subject: orderId,
      detail: { items: changed, ...(held && { until }) },
    });
  });
}
