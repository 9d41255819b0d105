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

/** A review as its author may edit it. */
export type ReviewToEdit = { source: string } & Omit<
  StoredReview,
  "external_id" | "email_key" | "date" | "order_id" | "customer_id" | "verified_email" | "incentivized"
>;

/** What the author of a review may edit, with its details; null if it doesn't exist. */
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
 * Edits a review in the caller's transaction: it becomes pending, and the old text goes to the history. `tokens` are
 * its new images: its own or unclaimed uploads. Its address becomes verified, since the link was emailed there.
 * `changed` is false if nothing differs. Throws `invalid_field` for images that can't be claimed, `not_found` if it was
 * erased meanwhile.
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
