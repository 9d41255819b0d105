import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Order } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { selectOrder } from "./sql";

/** One order of the client, as far as the actor may see it, as JSON. Throws `not_found`, also for another client's order. */
export async function getOrderJson(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
): Promise<string> {
  const row = await selectOrder(pool(), client.id, id, { people: maySeePeople(actor) });
  if (!row) throw new AppError("not_found", { reason: "order_not_found" });
  return row.json;
}

/** The same, read. */
export const getOrder = async (...asked: Parameters<typeof getOrderJson>): Promise<Order> =>
  JSON.parse(await getOrderJson(...asked));
