import { pool } from "@/lib/platform/db/pool";

/** A seller review as its author may see and edit it. */
export type OwnSellerReview = {
  id: string;
  author: string | null;
  score: number;
  title: string | null;
  extract: string;
};

/** The seller review written through an invitation, or null. */
export async function sellerReviewOfInvitation(
  clientId: string,
  invitationId: string,
): Promise<OwnSellerReview | null> {
  const { rows } = await pool().query<OwnSellerReview>(
    "select id, author, score, title, extract from seller_reviews where client_id = $1 and invitation_id = $2",
    [clientId, invitationId],
  );
  return rows[0] ?? null;
}
