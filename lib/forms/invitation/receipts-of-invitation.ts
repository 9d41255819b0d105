import type { OpenInvitation } from "@/lib/forms/invitation/open-invitation";
import { isReviewOfItem } from "@/lib/forms/invitation/open-invitation";
import { pool } from "@/lib/platform/db/pool";
import { receiptToken } from "@/lib/platform/http/honesty-page";
import { readSalts } from "@/lib/reviews/decisions/item-reference";

/** A receipt's token, and the name of the product it is about; null for the store. */
export type NamedReceipt = { token: string; name: string | null };

/** The receipts of everything written through an invitation: its products in order, then the store. */
export async function receiptsOfInvitation({
  client,
  items,
  reviews,
  seller,
}: Pick<OpenInvitation, "client" | "items" | "reviews" | "seller">): Promise<NamedReceipt[]> {
  const [ofReviews, ofSeller] = await Promise.all([
    readSalts(
      pool(),
      client.id,
      "review",
      reviews.map(({ id }) => id),
    ),
    seller ? readSalts(pool(), client.id, "seller_review", [seller.id]) : null,
  ]);
  const receipts: NamedReceipt[] = [];
  for (const item of items) {
    const review = reviews.find((each) => isReviewOfItem(each, item));
    const salt = review && ofReviews.get(review.id);
    if (review && salt)
      receipts.push({ token: receiptToken("review", review.id, salt), name: item.name ?? item.item_id });
  }
  const salt = seller && ofSeller?.get(seller.id);
  if (seller && salt) receipts.push({ token: receiptToken("seller_review", seller.id, salt), name: null });
  return receipts;
}
