import type { Actor } from "@/lib/accounts/actor";
import { pool } from "@/lib/platform/db/pool";
import { seconds } from "@/lib/platform/seconds";
import { selectWork } from "./sql";

/** Beyond this nobody counts at a glance; the number says "99+". */
const MOST = 99;

/** A client where something waits in somebody's queue. */
export type Work = { id: string; display_name: string; count: number; more: boolean; oldest_at: string };

/**
 * Where something waits in somebody's queue, the longest wait first: at most `limit` clients. Operators see clients that
 * leave moderation to them, and those of their own account; others the clients they reach that moderate themselves.
 */
export async function listWork(actor: Pick<Actor, "role" | "accountId" | "clients">, limit: number): Promise<Work[]> {
  const rows = await selectWork(
    pool(),
    {
      operator: actor.role === "operator",
      accountId: actor.accountId,
      clients: actor.clients === "all" ? null : [...actor.clients],
    },
    MOST + 1,
    limit,
  );
  return rows.map(({ count, oldest_at, ...client }) => ({
    ...client,
    count: Math.min(count, MOST),
    more: count > MOST,
    oldest_at: seconds(oldest_at),
  }));
}
