import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { isInQueueOf } from "@/lib/moderation/queue/rules";
import type { PendingCounts } from "@/lib/moderation/queue/schema";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { decidedKinds } from "@/lib/reviews/decisions/schema";
import { selectPendingCounts } from "./sql";

/** Counting stops here; the screen shows "999+". */
const MAX_COUNT = 999;

/**
 * Counts a client's pending items by kind, with the oldest date and whose queue it is (`own_moderation`), plus reported
 * reviews and unanswered questions.
 */
export async function countPending(
  actor: Pick<Actor, "role" | "accountId">,
  client: Pick<ClientRow, "id" | "own_moderation" | "account_id" | "require_verification">,
): Promise<PendingCounts> {
  const { counts, oldest_at, reported, unanswered } = await selectPendingCounts(pool(), client, MAX_COUNT + 1);
  const count = decidedKinds.reduce((sum, kind) => sum + counts[kind], 0);
  const kinds = decidedKinds.map((kind) => [kind, Math.min(counts[kind], MAX_COUNT)]);
  return {
    count: Math.min(count, MAX_COUNT),
    more: count > MAX_COUNT,
    oldest_at: oldest_at && toIsoSeconds(oldest_at),
    queue: client.own_moderation ? "client" : "operator",
    yours: isInQueueOf(actor, client),
    kinds: Object.fromEntries(kinds) as PendingCounts["kinds"],
    reported: Math.min(reported, MAX_COUNT),
    unanswered: Math.min(unanswered, MAX_COUNT),
  };
}
