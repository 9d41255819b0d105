import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import { pool } from "@/lib/platform/db/pool";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

/** A review as its author may see and change it again. */
export type OwnReview = {
  order_id: string;
  product_id: string;
  author: string | null;
  score: number;
  title: string | null;
  extract: string;
  pros: string[];
  cons: string[];
  recommended: boolean | null;
  answers: CustomAnswers;
  images: StoredImage[];
};

/** What an invitation's customer has written through it so far. */
export async function reviewsOfInvitation(clientId: string, invitationId: string): Promise<OwnReview[]> {
  const { rows } = await pool().query<OwnReview>(
    `select r.order_id, r.product_id, r.author, r.score, r.title, r.extract, r.pros, r.cons, r.recommended, r.answers, r.images
       from invitation_items ii
       join reviews r on r.client_id = ii.client_id and r.order_id = ii.order_id and r.product_id = ii.item_id
        and r.invitation_id = ii.invitation_id
      where ii.client_id = $1 and ii.invitation_id = $2`,
    [clientId, invitationId],
  );
  return rows;
}
