import { pool } from "@/lib/platform/db/pool";
import { dropRows, selectLeft } from "./sql";

/** Removes what was kept of shares that are not connected any more. Answers how many rows went. */
export async function purgeLeftShares(limit = 5_000): Promise<number> {
  const clientId = await selectLeft(pool());
  return clientId === null ? 0 : dropRows(pool(), clientId, limit);
}
