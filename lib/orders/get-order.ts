import { type Actor, maySeePeople } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import type { Order } from "@/lib/orders/schema";
import { toOrder } from "@/lib/orders/serialize";
import { selectOrder } from "./sql";

/** One order of the client, as far as the actor may see it. Throws `not_found`, also for another client's order. */
export async function getOrder(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">, id: string): Promise<Order> {
  const row = await selectOrder(pool(), client.id, id);
  if (!row) throw new AppError("not_found", "There is no such order.");
  return toOrder(row, { people: maySeePeople(actor) });
}
