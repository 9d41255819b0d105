import { z } from "zod";

export const ReviewFeedParams = z.object({ client_id: z.string() });

/** What an accepted review says in the feed. Nothing else of it leaves the house this way. */
export type FeedReview = {
  id: string;
  author: string | null;
  score: number;
  title: string | null;
  extract: string;
  pros: string[];
  cons: string[];
  lang: string | null;
  /** the day it is of, and the moment it came here */
  date: string;
  created_at: Date;
  verified_buyer: boolean;
  invited: boolean;
  /** addresses of its pictures */
  pictures: string[];
  product: ReviewedProduct;
};

/** The product that a review is of, with the marks of all variants that share its reviews. */
export type ReviewedProduct = {
  name: string | null;
  url: string | null;
  gtins: string[];
  mpns: string[];
  skus: string[];
  brands: string[];
};
