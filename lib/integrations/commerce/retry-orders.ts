import { integrationLane } from "@/lib/integrations/sync-lane";
import { type Db, pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { EncodedNotices } from "@/lib/platform/notices";

/** Orders retried per request. */
const BATCH_SIZE = 100;

/** Whether a person can retry a delivery: orders that couldn't be imported. */
export const canRetryOrder = (delivery: { kind: string; outcome: string; reason: string | null }): boolean =>
  delivery.kind === "order_refused" && (delivery.outcome === "failed" || delivery.outcome === "skipped");

/** Requests a retry of one rejected order, or of all if `id` is null. Returns their number. */
export async function retryOrders(db: Db, clientId: string, id: string | null): Promise<number> {
  const { rowCount } = await db.query(
    `update deliveries set outcome = 'pending', reason = null, asked_at = now(), updated_at = now()
      where client_id = $1 and type = 'commerce' and kind = 'order_refused'
        and (outcome = 'failed' or ($2::text is not null and outcome = 'skipped')) and ($2::text is null or id = $2)`,
    [clientId, id],
  );
  if (rowCount)
    await enqueue(db, [
      {
        name: "integration/due",
        data: { client_id: clientId, kind: "commerce", lane: integrationLane(clientId, "commerce"), asked: true },
      },
    ]);
  return rowCount ?? 0;
}

/** Rejected orders with a requested retry, by the store's ids. */
export async function listRequestedOrders(clientId: string): Promise<{ id: string; entityId: number }[]> {
  const { rows } = await pool().query<{ id: string; entity_id: string }>(
    `select id, remote_id as entity_id from deliveries
      where client_id = $1 and type = 'commerce' and kind = 'order_refused' and outcome = 'pending' and remote_id ~ '^[0-9]{1,15}$'
      order by created_at, id limit $2`,
    [clientId, BATCH_SIZE],
  );
  return rows.map(({ id, entity_id }) => ({ id, entityId: Number(entity_id) }));
}

/**
 * Closes retries that were neither imported nor rejected again: the order is in a skipped state, or gone. `failure`:
 * the store failed on all of them, so their state is unknown.
 */
export async function closeRequestedOrders(
  clientId: string,
  ids: string[],
  failure: EncodedNotices | null,
): Promise<void> {
  await pool().query(
    `update deliveries set outcome = $3, reason = $4, updated_at = now()
      where client_id = $1 and id = any($2) and outcome = 'pending'`,
    [clientId, ids, failure === null ? "skipped" : "failed", failure ?? "not_offered"],
  );
}
