import { pool } from "@/lib/platform/db/pool";
import { deleteShareRows, findDisconnectedClient } from "./sql";

/** Deletes rows of disconnected shares. Returns the number of deleted rows. */
export async function purgeDisconnectedShares(limit = 5_000): Promise<number> {
  const clientId = await findDisconnectedClient(pool());
  return clientId === null ? 0 : deleteShareRows(pool(), clientId, limit);
}
