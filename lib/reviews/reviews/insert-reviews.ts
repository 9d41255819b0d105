import type { Db } from "@/lib/platform/db/pool";
import { type ReviewColumns, reviewColumnTypes } from "@/lib/reviews/reviews/review-row";
import {
  type InsertedSubmission,
  insertSubmissions,
  type NewSubmission,
  submissionStatement,
} from "@/lib/reviews/submissions/insert-submissions";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

/** A review to store, as columns. */
export type NewReview = NewSubmission &
  Omit<ReviewColumns, "external_id"> & { invitation_id: string | null; images: StoredImage[] };

const { external_id: _, ...given } = reviewColumnTypes;
const statement = {
  name: "insert-reviews",
  text: submissionStatement({
    kind: "review",
    table: "reviews",
    types: { ...given, invitation_id: "text", images: "jsonb" },
    completed: {
      // An order's item without a family is its own, as in orders.
      family_id: "coalesce(p.family_id, g.family_id, case when g.order_id is not null then g.product_id end)",
      // Without an order, a review has no category.
      category: "case when g.order_id is null then null else coalesce(g.category, p.category) end",
    },
  }),
};

/** Stores submitted reviews, as {@link insertSubmissions} does. */
export const insertReviews = (db: Db, reviews: NewReview[]): Promise<InsertedSubmission[]> =>
  insertSubmissions(db, statement, reviews);
