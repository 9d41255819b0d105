import type { Actor } from "@/lib/accounts/actor";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { selectPendingClients } from "./sql";

/** Counting stops here; the screen shows "99+". */
const MAX_COUNT = 99;

/** A client with pending items in a person's queue. */
export type PendingClient = { id: string; display_name: string; count: number; more: boolean; oldest_at: string };

/**
 * Lists clients with pending items in a person's queue, oldest first, at most `limit`. Operators see clients that leave
 * moderation to them and those of their own account; others see their clients that moderate themselves.
 */
export async function listPendingClients(
  actor: Pick<Actor, "role" | "accountId" | "clients">,
  limit: number,
): Promise<PendingClient[]> {
  const rows = await selectPendingClients(
    pool(),
    {
      operator: actor.role === "operator",
      accountId: actor.accountId,
      clients: actor.clients === "all" ? null : [...actor.clients],
    },
    MAX_COUNT + 1,
    limit,
  );
  return rows.map(({ count, oldest_at, ...client }) => ({
    ...client,
    count: Math.min(count, MAX_COUNT),
    more: count > MAX_COUNT,
    oldest_at: toIsoSeconds(oldest_at),
  }));
}
