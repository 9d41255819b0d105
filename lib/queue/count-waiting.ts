import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { seconds } from "@/lib/http/seconds";
import { isInQueueOf } from "@/lib/queue/rules";
import type { Waiting } from "@/lib/queue/schema";
import { selectWaiting } from "./sql";

/** Beyond this nobody counts; the number says "999+". */
const MOST = 999;

/** How many of a client's reviews wait for a decision, since when, and in whose queue (`own_moderation`). */
export async function countWaiting(
  actor: Pick<Actor, "role" | "accountId">,
  client: Pick<ClientRow, "id" | "own_moderation" | "account_id" | "require_verification">,
): Promise<Waiting> {
  const { count, oldest_at } = await selectWaiting(pool(), client, MOST + 1);
  return {
    count: Math.min(count, MOST),
    more: count > MOST,
    oldest_at: oldest_at && seconds(oldest_at),
    queue: client.own_moderation ? "client" : "operator",
    yours: isInQueueOf(actor, client),
  };
}
