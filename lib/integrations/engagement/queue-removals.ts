import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import { readIntegration } from "@/lib/integrations/rows";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { DeliveryKind } from "./sql";

/** A remote record of something deleted here: the delivery's kind and the platform's id. */
export type RemoteRecord = { kind: string; id: string };

/** Kind of the removal for each kind of delivery. */
const removalKinds: Readonly<Record<string, DeliveryKind>> = {
  interaction: "interaction.removal",
  "interaction.search": "interaction.search",
  attributes: "attributes.rewrite",
};

/** SQL: the remote record of a delivery. If a post's outcome is unknown, it must be searched for. */
export const remoteRecordSql = `
  case when kind = 'interaction' and remote_id is null and payload ? 'begun' then 'interaction.search' else kind end as kind,
  case when kind = 'interaction' and remote_id is null and payload ? 'begun'
       then (payload->>'contact') || ' ' || (payload->>'created') else remote_id end as remote_id`;

/** Enqueues removals in the caller's transaction. */
export const enqueueRemovals = (db: Db, clientId: string, remote: RemoteRecord[]): Promise<void> =>
  enqueue(
    db,
    remote.length === 0
      ? []
      : [
          {
            name: "engagement/orphaned",
            data: { client_id: clientId, remote },
          },
        ],
  );

/**
 * Deletes a review's deliveries and enqueues their removal from the platform, in the caller's transaction. Does nothing
 * if an erasure has deleted them already.
 */
export async function deleteReviewDeliveries(db: Db, clientId: string, reviewId: string): Promise<void> {
  const { rows } = await db.query<{ kind: string; remote_id: string | null }>(
    `delete from deliveries where client_id = $1 and type = 'engagement' and subject = $2 and kind in ('interaction', 'attributes')
     returning ${remoteRecordSql}`,
    [clientId, reviewId],
  );
  await enqueueRemovals(
    db,
    clientId,
    rows.flatMap(({ kind, remote_id }) => (remote_id ? [{ kind, id: remote_id }] : [])),
  );
}

/** Queues removals from the platform. Idempotent. Returns their number. */
export async function queueRemovals(clientId: string, remote: RemoteRecord[]): Promise<number> {
  if (!(await readIntegration(clientId, "engagement"))) return 0;
  const due = remote.flatMap(({ kind, id }) => {
    const removalKind = removalKinds[kind];
    return removalKind ? [{ id: newId("delivery"), kind: removalKind, subject: id }] : [];
  });
  if (due.length === 0) return 0;
  await transaction(async (db) => {
    // A removal in progress is repeated, since it may have read outdated data. A failed one is retried.
    await db.query(
      `insert into deliveries as d (client_id, id, type, kind, subject, outcome, due_at)
       select $1, id, 'engagement', kind, subject, 'pending', now()
         from jsonb_to_recordset($2::jsonb) as g(id text, kind text, subject text)
       on conflict (client_id, type, target_id, kind, subject) do update
          set outcome = 'pending', reason = null, payload = null, due_at = now(), asked_at = now(), attempts = d.attempts + 1`,
      [clientId, JSON.stringify([...new Map(due.map((one) => [`${one.kind} ${one.subject}`, one])).values()])],
    );
    await enqueueEngagementDelivery(db, clientId);
  });
  return due.length;
}
