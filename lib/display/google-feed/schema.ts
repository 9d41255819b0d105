import { z } from "zod";

export const ReviewFeedParams = z.object({ client_id: z.string() });

/** The data of an accepted review in the feed. No other data of it is published this way. */
export type FeedReview = {
  id: string;
  author: string | null;
  score: number;
  title: string | null;
  extract: string;
  pros: string[];
  cons: string[];
  lang: string | null;
  /** its date, and when it was received */
  date: string;
  created_at: Date;
  verified_buyer: boolean;
  incentivized: boolean;
  invited: boolean;
  /** URLs of its photos */
  pictures: string[];
  product: ReviewedProduct;
};

/** The product of a review, with the identifiers of all variants that share its reviews. */
export type ReviewedProduct = {
  name: string | null;
  url: string | null;
  gtins: string[];
  mpns: string[];
  skus: string[];
  brands: string[];
};
