import { pool } from "@/lib/platform/db/pool";
import type { StoredReview } from "@/lib/reviews/reviews/review-row";
import type { EditedColumn } from "@/lib/reviews/reviews/save-review-edit";

/** A review as its author may see and edit it. */
export type OwnReview = Pick<StoredReview, Exclude<EditedColumn, "lang"> | "id"> & {
  order_id: string;
  product_id: string;
};

/** The reviews written through an invitation so far. */
export async function reviewsOfInvitation(clientId: string, invitationId: string): Promise<OwnReview[]> {
  const { rows } = await pool().query<OwnReview>(
    `select r.id, r.order_id, r.product_id, r.author, r.score, r.title, r.extract, r.pros, r.cons, r.recommended, r.answers, r.images
       from invitation_items ii
       join reviews r on r.client_id = ii.client_id and r.order_id = ii.order_id and r.product_id = ii.item_id
        and r.invitation_id = ii.invitation_id
      where ii.client_id = $1 and ii.invitation_id = $2`,
    [clientId, invitationId],
  );
  return rows;
}
