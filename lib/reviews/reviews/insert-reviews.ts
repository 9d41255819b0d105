import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import type { Db } from "@/lib/platform/db/pool";
import { reviewColumnTypes } from "@/lib/reviews/reviews/column-types";
import {
  type Inserted,
  insertSubmissions,
  type NewSubmission,
  submissionStatement,
} from "@/lib/reviews/submissions/insert-submissions";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

/** A review to be stored, as columns; what the catalogue knows is added by the statement. */
export type NewReview = NewSubmission & {
  source: string;
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  product_url: string | null;
  category: string | null;
  author: string;
  author_email: string | null;
  email_key: string | null;
  author_ip: string | null;
  score: number;
  title: string | null;
  extract: string;
  pros: string[];
  cons: string[];
  recommended: boolean | null;
  answers: CustomAnswers;
  lang: string;
  date: string;
  order_id: string | null;
  customer_id: string | null;
  invitation_id: string | null;
  verified_buyer: boolean;
  verified_email: boolean;
  terms_agreed_at: string | null;
  terms_version: string | null;
  feedback_token: string;
  images: StoredImage[];
};

const { external_id: _, ...given } = reviewColumnTypes;
const statement = {
  name: "insert-reviews",
  text: submissionStatement({
    kind: "review",
    table: "reviews",
    types: {
      ...given,
      client_id: "text",
      id: "text",
      source: "text",
      email_key: "text",
      author_ip: "text",
      invitation_id: "text",
      verification: "text",
      terms_agreed_at: "timestamptz",
      terms_version: "text",
      feedback_token: "text",
      images: "jsonb",
    },
    completed: {
      // An order's item that nobody gives a family is its own, as in the order.
      family_id: "coalesce(p.family_id, g.family_id, case when g.order_id is not null then g.product_id end)",
      // Without an order a review has no category.
      category: "case when g.order_id is null then null else coalesce(g.category, p.category) end",
    },
  }),
};

/** Stores submitted reviews, as {@link insertSubmissions} does. */
export const insertReviews = (db: Db, reviews: NewReview[]): Promise<Inserted[]> =>
  insertSubmissions(db, statement, reviews);
