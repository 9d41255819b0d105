import { pool } from "@/lib/platform/db/pool";
import { deleteShareRows, findDisconnectedClient } from "./sql";

/** Deletes rows of disconnected shares, of one client if given. Returns the number of deleted rows. */
export async function purgeDisconnectedShares(limit = 5_000, clientId: string | null = null): Promise<number> {
  const disconnected = await findDisconnectedClient(pool(), clientId);
  return disconnected === null ? 0 : deleteShareRows(pool(), disconnected, limit);
}
