import { z } from "zod";
import { endpoint } from "@/lib/http/contract";
import { clientId, page, single } from "@/lib/http/fields";
import { Review, ReviewFilter, ReviewId, ReviewUpdate } from "@/lib/reviews/schema";

const clientQuery = z.object({ client_id: clientId });

export const listReviewsContract = endpoint({
  id: "reviews.list",
  method: "GET",
  path: "/v1/reviews",
  tag: "Reviews",
  summary: "List reviews, published and not",
  description:
    "Oldest first. With `updated_after` the order is by last change, which is what an incremental synchronisation follows; it answers rows changed since that moment and, as a safety margin, those of the five seconds before it.",
  auth: "management",
  query: ReviewFilter,
  response: page(Review),
});

export const getReviewContract = endpoint({
  id: "reviews.get",
  method: "GET",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "One review",
  auth: "management",
  params: ReviewId,
  query: clientQuery,
  response: single(Review),
});

export const updateReviewContract = endpoint({
  id: "reviews.update",
  method: "PUT",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "Accept, reject or reopen a review",
  description:
    "`accepted: true` publishes, `false` rejects (`reject_reason`, else `unspecified`), `null` hands the review to the client's moderation again.",
  auth: "management",
  role: "moderator",
  params: ReviewId,
  query: clientQuery,
  body: ReviewUpdate,
  response: single(Review),
});
