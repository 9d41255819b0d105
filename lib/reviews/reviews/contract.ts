import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import { Review, ReviewFilter, ReviewId, ReviewPost, ReviewUpdate } from "@/lib/reviews/reviews/schema";

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

export const postReviewContract = endpoint({
  id: "reviews.post",
  method: "POST",
  path: "/v1/reviews",
  tag: "Reviews",
  summary: "Add a review, or update the one with this `external_id`",
  description:
    "For reviews that were written elsewhere: it sends no mail, no invitation and no interaction. A new review needs `author`, `score` and `order.item`, and answers 201; where `external_id` exists already, absent keys stay as they are and the answer is 200. A product that the catalogue does not know is kept under its id with the name given.",
  auth: "management",
  query: clientQuery,
  body: ReviewPost,
  status: 201,
  response: single(Review),
  alternatives: { 200: single(Review) },
});

export const updateReviewContract = endpoint({
  id: "reviews.update",
  method: "PUT",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "Change, accept, reject or reopen a review",
  description:
    "Absent keys stay as they are; null empties what may be empty. `accepted: true` publishes, `false` rejects (`reject_reason`, else `unspecified`), `null` hands the review to the client's moderation again. Moderators who sign in decide; what else is changed takes an admin or an API key.",
  auth: "management",
  role: "moderator",
  params: ReviewId,
  query: clientQuery,
  body: ReviewUpdate,
  response: single(Review),
});

export const deleteReviewContract = endpoint({
  id: "reviews.delete",
  method: "DELETE",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "Delete a review",
  description:
    "With its votes, reports, replies and images. What was decided about it stays in the history, without its texts. Deleted again, it is not found.",
  auth: "management",
  params: ReviewId,
  query: clientQuery,
  status: 204,
});
