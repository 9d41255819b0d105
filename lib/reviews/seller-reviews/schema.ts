import { z } from "zod";
import { mergeAliases, timeFilter } from "@/lib/reviews/contributions/schema";
import { Review } from "@/lib/reviews/reviews/schema";

const shown = {
  id: true,
  author: true,
  score: true,
  score_max: true,
  date: true,
  extract: true,
  lang: true,
  verified_buyer: true,
  incentivized: true,
  responses: true,
  images: true,
  properties: true,
} as const;

/** The public fields of a seller review, with the types of a review's. */
export const ShownSellerReview = Review.pick(shown);

/** A customer's review of the seller, published or not. */
export const SellerReview = Review.pick({
  ...shown,
  votes_up: true,
  votes_down: true,
  order_id: true,
  customer_id: true,
  updated_at: true,
  accepted: true,
  accepted_at: true,
  author_email: true,
  portal_url: true,
}).meta({ id: "SellerReview" });
export type SellerReview = z.infer<typeof SellerReview>;

/** Filters of the list. With `updated_after`, rows are sorted by (updated_at, id), else by (created_at, id). */
export const SellerReviewFilter = z.object(timeFilter("Seller reviews")).transform(mergeAliases);
export type SellerReviewFilter = z.output<typeof SellerReviewFilter>;
