import { pool } from "@/lib/platform/db/pool";
import { deleteShareRows, findDisconnectedClient } from "./sql";

/** Removes what was kept of shares that are not connected any more. Answers how many rows went. */
export async function purgeDisconnectedShares(limit = 5_000): Promise<number> {
  const clientId = await findDisconnectedClient(pool());
  return clientId === null ? 0 : deleteShareRows(pool(), clientId, limit);
}
