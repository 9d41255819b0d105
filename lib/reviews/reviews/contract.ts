import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";
import { Review, ReviewFilter, ReviewId, ReviewPost, ReviewUpdate } from "@/lib/reviews/reviews/schema";
import { receiptHeaderOf } from "@/lib/reviews/submissions/receipt-header";

const exampleReview = {
  id: "5f0c1d9be27a4836",
  external_id: null,
  type: "customer",
  author: "Ada",
  score: 5,
  score_max: 5,
  date: "2026-05-20",
  extract: "Warm light, and the switch sits where the hand looks for it.",
  pros: ["Warm light"],
  cons: [],
  lang: "en",
  verified_buyer: true,
  votes_up: 2,
  votes_down: 0,
  product: "Oak table lamp, small",
  responses: [],
  images: [],
  properties: { recommended: true },
  family_ids: ["LAMP-OAK"],
  product_ids: ["LAMP-OAK-S"],
  order_id: "100045",
  customer_id: "c-2071",
  category: "Lighting > Table lamps",
  updated_at: "2026-05-21T07:12:45Z",
  accepted: true,
  accepted_at: "2026-05-21T07:12:45Z",
  reject_reason: null,
  verified_email: true,
  author_email: "ada@example.org",
  portal_url: "https://reviews.example.com/portal/reviews/5f0c1d9be27a4836?client_id=shop.example.com",
};

const exampleImported = {
  ...exampleReview,
  id: "8f5e2c7712ab90d4",
  external_id: "old-8812",
  score: 4,
  date: "2024-11-02",
  extract: "Still shines after a winter of evenings.",
  pros: ["Lasts"],
  votes_up: 0,
  properties: {},
  order_id: "100012",
  verified_email: false,
  portal_url: "https://reviews.example.com/portal/reviews/8f5e2c7712ab90d4?client_id=shop.example.com",
};

const clientQuery = z.object({ client_id: clientId });

export const listReviewsContract = endpoint({
  id: "reviews.list",
  method: "GET",
  path: "/v1/reviews",
  tag: "Reviews",
  summary: "List reviews with any status",
  description:
    "Oldest first. With `updated_after`, reviews are sorted by last change, for incremental sync. The response also includes the five seconds before that time as a safety margin.",
  auth: "management",
  query: ReviewFilter,
  response: page(Review),
  example: {
    query: "client_id=shop.example.com&updated_after=2026-05-20T00:00:00Z&limit=1",
    answer: {
      data: [exampleReview],
      links: {
        next: "https://reviews.example.com/v1/reviews?client_id=shop.example.com&updated_after=2026-05-20T00%3A00%3A00Z&limit=1&after=WyJyZXZpZXdzLmNyZWF0ZWQi",
      },
    },
  },
});

export const getReviewContract = endpoint({
  id: "reviews.get",
  method: "GET",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "Retrieve a review",
  auth: "management",
  params: ReviewId,
  query: clientQuery,
  response: single(Review),
  example: { params: { id: exampleReview.id }, query: "client_id=shop.example.com", answer: { data: exampleReview } },
});

export const upsertReviewContract = endpoint({
  id: "reviews.post",
  method: "POST",
  path: "/v1/reviews",
  tag: "Reviews",
  summary: "Create a review, or update the one with this `external_id`",
  description:
    "For reviews written elsewhere: sends no email, invitation or interaction. A new review requires `author`, `score` and `order.item` and returns 201. If the `external_id` exists, the review is updated, fields that you leave out are kept, and the call returns 200. A product that is not in the catalog is stored under its id with the given name.",
  auth: "management",
  query: clientQuery,
  body: ReviewPost,
  status: 201,
  response: single(Review),
  headers: receiptHeaderOf("the review, if it is new"),
  alternatives: { 200: single(Review) },
  example: {
    query: "client_id=shop.example.com",
    body: {
      review: {
        external_id: "old-8812",
        order: {
          id: "100012",
          customer: { id: "c-2071", name: "Ada Berg", email: "ada@example.org" },
          item: { id: "LAMP-OAK-S", category: "Lighting > Table lamps" },
        },
        author: "Ada",
        score: 4,
        date: "2024-11-02",
        extract: "Still shines after a winter of evenings.",
        pros: ["Lasts"],
        accepted: true,
      },
    },
    answer: { data: exampleImported },
    others: { 200: { data: { ...exampleImported, updated_at: "2026-05-22T08:00:00Z" } } },
  },
});

export const updateReviewContract = endpoint({
  id: "reviews.update",
  method: "PUT",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "Update, accept, reject or reopen a review",
  description:
    "Fields that you leave out are kept. Null clears a field that may be empty. `accepted: true` publishes, `false` rejects (`reject_reason`, default `unspecified`), `null` returns the review to the store's moderation. Moderators can publish and reject. Other changes require an admin or an API key. If the author appealed a rejection, people who rejected the review, or changed the reason, can't change its state while another person moderates there (`conflict`).",
  auth: "management",
  role: "moderator",
  params: ReviewId,
  query: clientQuery,
  body: ReviewUpdate,
  response: single(Review),
  errors: ["conflict"],
  example: {
    params: { id: exampleReview.id },
    query: "client_id=shop.example.com",
    body: { review: { accepted: false, reject_reason: "not_about_product" } },
    answer: { data: { ...exampleReview, accepted: false, accepted_at: null, reject_reason: "not_about_product" } },
  },
});

export const deleteReviewContract = endpoint({
  id: "reviews.delete",
  method: "DELETE",
  path: "/v1/reviews/{id}",
  tag: "Reviews",
  summary: "Delete a review",
  description:
    "Also deletes its votes, reports, replies and images. Past decisions stay in the history, without texts. Deleting it again returns 404.",
  auth: "management",
  params: ReviewId,
  query: clientQuery,
  status: 204,
  example: { params: { id: exampleReview.id }, query: "client_id=shop.example.com" },
});
