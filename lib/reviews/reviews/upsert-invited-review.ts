import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { insertReviews, type NewReview } from "@/lib/reviews/reviews/insert-reviews";
import { isUnchanged, type StoredTexts, saveReviewEdit, textColumns } from "@/lib/reviews/reviews/save-review-edit";
import type { InsertedSubmission } from "@/lib/reviews/submissions/insert-submissions";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";

/**
 * Stores an invited customer's review of an item, or edits the one written through the same invitation: it becomes
 * pending, with the old text in the history. Images already in the review stay if the submission names them again.
 * Locks the invitation, so that of two concurrent submissions the second edits the first. A submission without changes
 * is a `duplicate`. Throws `invalid_field` for images that can't be claimed, `not_found` if the person was erased
 * meanwhile.
 */
export function upsertInvitedReview(
  client: Pick<ClientRow, "id" | "auto_moderate">,
  review: NewReview,
  tokens: string[],
): Promise<InsertedSubmission> {
  return transaction(async (db) => {
    const { rowCount } = await db.query("select from invitations where client_id = $1 and id = $2 for update", [
      client.id,
      review.invitation_id,
    ]);
    if (rowCount === 0) throw new AppError("not_found", { reason: "link_dead" });
    const existing = await findExisting(db, review);
    if (!existing) await insertReviews(db, [review]);
    const id = existing?.id ?? review.id;
    const images = await claimUploads(db, client, tokens, { kind: "review", id }, existing?.images);
    if (existing && isUnchanged(existing, { ...review, images })) return { id, salt: null, duplicate: true };
    if (existing) await saveReviewEdit(db, client, existing, { ...review, images }, markOf(existing, review));
    else if (images.length > 0) {
      await db.query("update reviews set images = $3 where client_id = $1 and id = $2", [
        client.id,
        id,
        JSON.stringify(images),
      ]);
    }
    return { id, salt: existing ? null : review.salt, duplicate: false };
  });
}

type Existing = StoredTexts & Pick<NewReview, "incentivized">;

/** An edit in a form that offers something is incentivized, too; a mark is never removed. */
const markOf = (existing: Existing, review: NewReview): { incentivized?: true } =>
  review.incentivized && !existing.incentivized ? { incentivized: true } : {};

async function findExisting(db: PoolClient, review: NewReview): Promise<Existing | null> {
  const { rows } = await db.query<Existing>(
    `select ${textColumns}, incentivized from reviews
      where client_id = $1 and order_id = $2 and invitation_id = $3 and product_id is not distinct from $4
        and (product_id is not null or family_id is not distinct from $5) for update`,
    [review.client_id, review.order_id, review.invitation_id, review.product_id, review.family_id],
  );
  return rows[0] ?? null;
}
