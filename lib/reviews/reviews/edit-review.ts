import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { StoredReview } from "@/lib/reviews/reviews/review-row";
import {
  isUnchanged,
  type ReviewTexts,
  type StoredTexts,
  saveReviewEdit,
  textColumns,
} from "@/lib/reviews/reviews/save-review-edit";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";

/** A review as its author may change it. */
export type ReviewToEdit = { source: string } & Omit<
  StoredReview,
  "external_id" | "email_key" | "date" | "order_id" | "customer_id" | "verified_email"
>;

/** What its author may change of a review, and what is known of it; null where there is none. */
export async function reviewToEdit(clientId: string, id: string): Promise<ReviewToEdit | null> {
  const { rows } = await pool().query<ReviewToEdit>(
    `select id, source, product_id, family_id, product_name, product_url, category, author, author_email, score, title,
            extract, pros, cons, recommended, answers, images, verified_buyer, lang, accepted, reject_reason
       from reviews where client_id = $1 and id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/**
 * Changes what a review says, in the caller's transaction: pending again, the old text in the history. `tokens` are its
 * images from now on, those it holds or unclaimed uploads. Its address counts as confirmed, since the link was mailed
 * there. `changed` is false where it says that already. Throws `invalid_field` for images that cannot be claimed,
 * `not_found` where it was erased meanwhile.
 */
export async function editReview(
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  id: string,
  texts: Omit<ReviewTexts, "images">,
  tokens: string[],
): Promise<{ changed: boolean; accepted: boolean | null }> {
  const { rows } = await db.query<StoredTexts & { email_key: string | null }>(
    `select ${textColumns}, email_key from reviews where client_id = $1 and id = $2 for update`,
    [client.id, id],
  );
  const existing = rows[0];
  if (!existing) throw new AppError("not_found", { reason: "link_dead" });
  const images = await claimUploads(db, client, tokens, { kind: "review", id }, existing.images);
  const changed = !isUnchanged(existing, { ...texts, images });
  if (changed)
    await saveReviewEdit(db, client, existing, { ...texts, images }, { verified_email: existing.email_key !== null });
  return { changed, accepted: existing.accepted };
}
