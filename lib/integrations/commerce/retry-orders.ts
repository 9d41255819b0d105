import { integrationLane } from "@/lib/integrations/lane";
import { type Db, pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { EncodedNotices } from "@/lib/platform/notices";

/** Orders asked for again in one go. */
const BATCH_SIZE = 100;

/** What a person may have asked for again: orders of the shop that could not be taken. */
export const canRetryOrder = (delivery: { kind: string; outcome: string; reason: string | null }): boolean =>
  delivery.kind === "order_refused" && (delivery.outcome === "failed" || delivery.outcome === "skipped");

/** Has an order that was refused asked for again, or without an id all of them; answers how many. */
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

/** Refused orders that somebody asked for again, by the shop's numbers. */
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
 * What was asked for and neither taken nor refused anew is not to be had: it waits in the shop, or is gone there. `failure`: the
 * shop failed on all of them, and nobody knows.
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
