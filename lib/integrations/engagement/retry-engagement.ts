import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import type { Db } from "@/lib/platform/db/pool";

/** Reasons to skip that somebody may have mended over there: the contact was made, or the doubled one merged. */
export const retryableSkipReasons: readonly string[] = ["no_contact", "ambiguous_contact", "no_email"];

/** What a person may have tried again: what failed, erasures too, and what a change over there may let through. */
export const isRetryable = ({ outcome, reason }: { outcome: string; reason: string | null }): boolean =>
  outcome === "failed" || (outcome === "skipped" && retryableSkipReasons.includes(reason ?? ""));

/**
 * Has a delivery told again, or without an id all that failed; answers how many. What is known of an earlier attempt stays
 * with it, so that nothing is posted twice. A contact's attributes that failed with their interaction follow it when it is told.
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
