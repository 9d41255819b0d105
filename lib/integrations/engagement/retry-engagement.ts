import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import type { Db } from "@/lib/platform/db/pool";

/** Skip reasons that a change on the platform may resolve, such as a created or merged contact. */
export const retryableSkipReasons: readonly string[] = ["no_contact", "ambiguous_contact", "no_email"];

/**
 * Whether a person can retry a delivery: if it failed, including erasures, or was skipped for a reason that may have
 * been resolved.
 */
export const isRetryable = ({ outcome, reason }: { outcome: string; reason: string | null }): boolean =>
  outcome === "failed" || (outcome === "skipped" && retryableSkipReasons.includes(reason ?? ""));

/**
 * Retries one delivery, or all failed ones if `id` is null. Returns their number. Keeps the progress of earlier
 * attempts, so that nothing is posted twice. Attributes that failed with their interaction follow once it is sent.
 */
export async function retryEngagementDeliveries(db: Db, clientId: string, id: string | null): Promise<number> {
  const { rowCount } = await db.query(
    `update deliveries d set outcome = 'pending', reason = null, due_at = now(), asked_at = now(), updated_at = now(),
            payload = case when payload is null then null else payload - 'said' - 'refusals' - 'refused' end
      where client_id = $1 and type = 'engagement'
        and (outcome = 'failed' or ($2::text is not null and outcome = 'skipped' and reason = any($3)))
        and (id = $2 or ($2::text is null and not (kind = 'attributes' and exists (
              select from deliveries i where i.client_id = $1 and i.type = 'engagement' and i.kind = 'interaction'
                 and i.subject = d.subject and i.outcome <> 'sent'))))`,
    [clientId, id, retryableSkipReasons],
  );
  if (rowCount) await enqueueEngagementDelivery(db, clientId);
  return rowCount ?? 0;
}
