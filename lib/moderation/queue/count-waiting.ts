import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { isInQueueOf } from "@/lib/moderation/queue/rules";
import type { Waiting } from "@/lib/moderation/queue/schema";
import { pool } from "@/lib/platform/db/pool";
import { seconds } from "@/lib/platform/seconds";
import { decidedKinds } from "@/lib/reviews/decisions/schema";
import { selectWaiting } from "./sql";

/** Beyond this nobody counts; the number says "999+". */
const MOST = 999;

/**
 * How much of a client waits for a decision, of which kind, since when, and in whose queue (`own_moderation`); what
 * visitors reported, and which questions have no answer.
 */
export async function countWaiting(
  actor: Pick<Actor, "role" | "accountId">,
  client: Pick<ClientRow, "id" | "own_moderation" | "account_id" | "require_verification">,
): Promise<Waiting> {
  const { counts, oldest_at, reported, unanswered } = await selectWaiting(pool(), client, MOST + 1);
  const count = decidedKinds.reduce((sum, kind) => sum + counts[kind], 0);
  const kinds = decidedKinds.map((kind) => [kind, Math.min(counts[kind], MOST)]);
  return {
    count: Math.min(count, MOST),
    more: count > MOST,
    oldest_at: oldest_at && seconds(oldest_at),
    queue: client.own_moderation ? "client" : "operator",
    yours: isInQueueOf(actor, client),
    kinds: Object.fromEntries(kinds) as Waiting["kinds"],
    reported: Math.min(reported, MOST),
    unanswered: Math.min(unanswered, MOST),
  };
}
