import { z } from "zod";
import { type DueDeliveryResult, deliverDueRecords } from "@/lib/integrations/engagement/deliver-due";
import { ownSources, queueReview } from "@/lib/integrations/engagement/queue-review";
import { finishSyncRun, recordProgress, saveRunState, startSyncRun } from "@/lib/integrations/record-run";
import { selectIntegration } from "@/lib/integrations/rows";
import { withSyncLock } from "@/lib/integrations/sync-lock";
import { SYNC_FINISHED, type SyncPart, type SyncRequest } from "@/lib/integrations/sync-types";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";

/** Milliseconds until the rest is left to the next part. */
const BUDGET_MS = 20_000;
/** Days of reviews to search for missing deliveries. */
const LOOK_BACK_DAYS = 7;
const MAX_REVIEWS = 1_000;

/** A current run, saved in the integration's state. */
const State = z.object({ run: z.string(), counts: z.record(z.string(), z.number()) });

/**
 * Sends a client's due deliveries to its engagement platform as a reported run: one part of it, to be called until it
 * returns no next part. Doesn't wait for postponed deliveries. On request, they are retried now, and reviews without a
 * delivery are queued first. Others may deliver concurrently; nothing is sent twice.
 */
export async function syncEngagement(
  clientId: string,
  { requested = false, deliver = deliverDueRecords }: SyncRequest & { deliver?: typeof deliverDueRecords } = {},
): Promise<SyncPart> {
  const part = await withSyncLock("engagement", clientId, async () => {
    const row = await selectIntegration(clientId, "engagement");
    return row?.enabled ? runPart(clientId, row.state, requested, deliver) : SYNC_FINISHED;
  });
  return part ?? SYNC_FINISHED;
}

async function runPart(
  clientId: string,
  savedState: Record<string, unknown>,
  requested: boolean,
  deliver: typeof deliverDueRecords,
): Promise<SyncPart> {
  const known = State.safeParse(savedState.engagement).data;
  const state = known ?? { run: await startSyncRun(clientId, "engagement"), counts: {} };
  const saveRunProgress = async () => {
    await saveRunState(clientId, "engagement", { ...state, active_at: now().getTime() });
    await recordProgress(clientId, "engagement", state.run, state.counts);
  };
  await saveRunProgress();
  if (!known && requested) {
    await queueMissedReviews(clientId);
    await retryPostponedNow(clientId);
  }
  const deadline = performance.now() + BUDGET_MS;
  for (;;) {
    const { counts, nextInMs } = await deliver(clientId);
    addCounts(state.counts, counts);
    await saveRunProgress();
    if (nextInMs !== 0) break;
    if (performance.now() > deadline) return { nextInSeconds: 0, error: null };
  }
  // Deliveries record the integration's health, and the run reports the same error.
  const error = (await selectIntegration(clientId, "engagement"))?.error ?? null;
  await finishSyncRun(clientId, "engagement", state.run, { counts: state.counts, error });
  await saveRunState(clientId, "engagement", null);
  return { nextInSeconds: null, error };
}

function addCounts(total: Record<string, number>, counts: DueDeliveryResult["counts"]): void {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + (count ?? 0);
}

/** Queues recent reviews without a delivery, whose outbox event is pending or was lost. */
async function queueMissedReviews(clientId: string): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `select r.id from reviews r join integrations i on i.client_id = r.client_id and i.type = 'engagement'
      where r.client_id = $1 and r.created_at >= greatest(i.created_at, now() - $2 * interval '1 day')
        and r.source = any($3)
        and not exists (select from deliveries d where d.client_id = r.client_id and d.type = 'engagement'
                           and d.kind = 'interaction' and d.subject = r.id)
      order by r.created_at, r.id limit $4`,
    [clientId, LOOK_BACK_DAYS, ownSources, MAX_REVIEWS],
  );
  for (const { id } of rows) await queueReview(clientId, id);
}

/** Makes postponed deliveries due now. Deliveries in progress have no reason and are left alone. */
async function retryPostponedNow(clientId: string): Promise<void> {
  await pool().query(
    `update deliveries set due_at = now() where client_id = $1 and type = 'engagement' and outcome = 'pending'
        and reason is not null and due_at > now()`,
    [clientId],
  );
}
