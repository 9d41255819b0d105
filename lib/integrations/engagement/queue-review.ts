import { requeueContacts } from "@/lib/integrations/engagement/aggregates";
import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import { deleteReviewDeliveries } from "@/lib/integrations/engagement/queue-removals";
import { type IntegrationWithSecrets, readIntegration } from "@/lib/integrations/rows";
import { transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { type ReviewToSend, selectReview } from "./sql";

/** Reviews written by customers here; imported reviews are never sent. */
export const ownSources: readonly string[] = ["invitation", "web", "collect"];

/** Temporary reasons to skip: the review is checked again when it changes. */
const temporarySkipReasons = ["unverified_email", "not_accepted"] as const;
type TemporarySkipReason = (typeof temporarySkipReasons)[number];

type Settings = Pick<IntegrationWithSecrets<"engagement">["settings"], "send_on">;

/** Why a review can't be sent for now; null if it's due. */
export function skipReasonOf(
  review: Pick<ReviewToSend, "verified_buyer" | "verified_email" | "accepted">,
  settings: Settings,
): TemporarySkipReason | null {
  if (!review.verified_buyer && !review.verified_email) return "unverified_email";
  return settings.send_on === "acceptance" && review.accepted !== true ? "not_accepted" : null;
}

/**
 * Queues a review for the engagement platform after an event: as due, or as skipped with a reason. Once due, it's never
 * queued again, whatever changes later. Reviews before the connection aren't sent; a deleted review is removed from the
 * platform.
 *
 * `changed`: its content or person changed, so contacts whose aggregates contain it are sent again. So do decisions if
 * only accepted reviews count.
 */
export async function queueReview(
  clientId: string,
  reviewId: string,
  { changed = false } = {},
): Promise<"due" | "skipped" | "nothing"> {
  const integration = await readIntegration(clientId, "engagement");
  if (!integration) return "nothing";
  return transaction(async (db) => {
    const review = await selectReview(clientId, reviewId, db);
    if (!review) {
      await deleteReviewDeliveries(db, clientId, reviewId);
      return "nothing";
    }
    if (changed || integration.settings.send_on === "acceptance") await requeueContacts(db, clientId, reviewId);
    if (!ownSources.includes(review.source)) return "nothing";
    const skipReason = skipReasonOf(review, integration.settings);
    const { rowCount } = await db.query(
      `insert into deliveries as d (client_id, id, type, kind, subject, outcome, reason, due_at)
       select i.client_id, $2, 'engagement', 'interaction', $3, $4, $5, case when $4 = 'pending' then now() end
         from integrations i
        where i.client_id = $1 and i.type = 'engagement' and i.created_at <= $6
       on conflict (client_id, type, target_id, kind, subject) do update
          set outcome = excluded.outcome, reason = excluded.reason, due_at = excluded.due_at, updated_at = now()
        where d.outcome = 'skipped' and d.reason = any($7)`,
      [
        clientId,
        newId("delivery"),
        reviewId,
        skipReason === null ? "pending" : "skipped",
        skipReason,
        review.created_at,
        temporarySkipReasons,
      ],
    );
    if (rowCount === 0) return "nothing";
    if (skipReason !== null) return "skipped";
    await enqueueEngagementDelivery(db, clientId);
    return "due";
  });
}
