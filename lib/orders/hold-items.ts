import type { ClientRow } from "@/lib/clients/get-client";
import { now } from "@/lib/clock";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { updateHeld } from "./portal-sql";

/**
 * Holds items of an order back, all without `items`: nobody is asked about them until they are let go (`held: false`). What
 * is held or free already stays so. The API's readers see nothing of it. Throws `not_found`, and changes nothing, for an
 * order without items of these ids.
 */
export async function holdItems(
  client: Pick<ClientRow, "id">,
  orderId: string,
  { held, items }: { held: boolean; items?: string[] },
): Promise<void> {
  const wanted = items === undefined ? null : [...new Set(items)];
  await transaction(async (db) => {
    const found = await updateHeld(db, client.id, orderId, wanted, held ? now() : null);
    if (found === 0 || (wanted !== null && found < wanted.length))
      throw new AppError("not_found", "There is no such order, or one of the items is not in it.");
  });
}
