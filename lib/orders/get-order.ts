import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Order } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { selectOrder } from "./sql";

/** An order as JSON, limited to what the actor may see. Throws `not_found`, also for another client's order. */
export async function getOrderJson(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
): Promise<string> {
  const row = await selectOrder(pool(), client.id, id, { people: maySeePeople(actor) });
  if (!row) throw new AppError("not_found", { reason: "order_not_found" });
  return row.json;
}

/** {@link getOrderJson}, parsed. */
export const getOrder = async (...args: Parameters<typeof getOrderJson>): Promise<Order> =>
  JSON.parse(await getOrderJson(...args));
