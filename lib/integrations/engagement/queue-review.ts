import { requeueContacts } from "@/lib/integrations/engagement/aggregates";
import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import { deleteReviewDeliveries } from "@/lib/integrations/engagement/queue-removals";
import { type IntegrationWithSecrets, readIntegration } from "@/lib/integrations/rows";
import { transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { type ReviewToSend, selectReview } from "./sql";

/** Reviews that customers wrote here; what was brought from elsewhere is never told. */
export const ownSources: readonly string[] = ["invitation", "web", "collect"];

/** Reasons to skip that may pass: the review is judged again when something happens to it. */
const temporarySkipReasons = ["unverified_email", "not_accepted"] as const;
type TemporarySkipReason = (typeof temporarySkipReasons)[number];

type Settings = Pick<IntegrationWithSecrets<"engagement">["settings"], "send_on">;

/** What keeps a review from being told for now; null: it is due. */
export function skipReasonOf(
  review: Pick<ReviewToSend, "verified_buyer" | "verified_email" | "accepted">,
  settings: Settings,
): TemporarySkipReason | null {
  if (!review.verified_buyer && !review.verified_email) return "unverified_email";
  return settings.send_on === "acceptance" && review.accepted !== true ? "not_accepted" : null;
}

/**
 * Notes a review that something happened to for the engagement platform: as due, or as skipped and why. Once noted as due
 * it is never due again, whatever is edited or decided later. Reviews of before the connection stay untold; one that
 * was deleted is taken out of the platform again.
 *
 * `changed`: it says something else now, or is whose it was not: contacts whose aggregates it is in are told anew. A decision
 * changes them where only accepted reviews count.
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
