import { endpoint } from "@/lib/platform/http/contract";
import { page } from "@/lib/platform/http/fields";
import { SellerReview, SellerReviewFilter } from "@/lib/reviews/seller-reviews/schema";

export const listSellerReviewsContract = endpoint({
  id: "seller_reviews.list",
  method: "GET",
  path: "/v1/seller_reviews",
  tag: "Seller reviews",
  summary: "List reviews of the seller, published and not",
  description:
    "Oldest first; with `updated_after` by last change, as the reviews of products. Read only: they are collected by invitations and decided on in the portal.",
  auth: "management",
  query: SellerReviewFilter,
  response: page(SellerReview),
});
