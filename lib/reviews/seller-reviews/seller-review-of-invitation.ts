import { pool } from "@/lib/platform/db/pool";

/** A seller review as its author may see and change it again. */
export type OwnSellerReview = { author: string | null; score: number; title: string | null; extract: string };

/** What an invitation's customer has written of the seller through it, or null. */
export async function sellerReviewOfInvitation(
  clientId: string,
  invitationId: string,
): Promise<OwnSellerReview | null> {
  const { rows } = await pool().query<OwnSellerReview>(
    "select author, score, title, extract from seller_reviews where client_id = $1 and invitation_id = $2",
    [clientId, invitationId],
  );
  return rows[0] ?? null;
}
