import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { deleteDependents } from "@/lib/reviews/contributions/delete-dependents";
import { releaseUploads } from "@/lib/reviews/uploads/claim-uploads";
import { mailReportersOfDeleted } from "@/lib/reviews/votes/mail-report-outcomes";

/**
 * Deletes a review with its dependents: votes, reports, replies, findings, emailed links, images (their URLs stop
 * working immediately, cleanup deletes the files). The history keeps decisions but loses edited texts, since they could
 * no longer be attributed to their author. Those who reported it, and gave an address, are emailed. One transaction; summaries follow by trigger. Throws `not_found`.
 */
export async function deleteReview(actor: Actor, client: Pick<ClientRow, "id">, id: string): Promise<void> {
  await transaction(async (db) => {
    // Locked before its reports, as when one is added.
    await db.query("select from reviews where client_id = $1 and id = $2 for update", [client.id, id]);
    await mailReportersOfDeleted(db, client.id, id);
    const { rows } = await db.query<{ id: string; accepted: boolean | null; created_at: Date }>(
      "delete from reviews where client_id = $1 and id = $2 returning id, accepted, created_at",
      [client.id, id],
    );
    if (rows.length === 0) throw new AppError("not_found", { reason: "review_not_found" });
    await releaseUploads(db, client, { kind: "review", id });
    await deleteDependents(db, client.id, "review", rows, { action: "deleted", actor });
    await enqueue(db, [{ name: "review/deleted", data: { client_id: client.id, review_id: id } }]);
  });
}
