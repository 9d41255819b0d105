import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { seconds } from "@/lib/http/seconds";
import type { Waiting } from "@/lib/queue/schema";
import { selectWaiting } from "./sql";

/** Beyond this nobody counts; the number says "999+". */
const MOST = 999;

/** How many of a client's reviews wait for a decision, and since when. */
export async function countWaiting(client: Pick<ClientRow, "id">): Promise<Waiting> {
  const { count, oldest_at } = await selectWaiting(pool(), client.id, MOST + 1);
  return { count: Math.min(count, MOST), more: count > MOST, oldest_at: oldest_at && seconds(oldest_at) };
}
