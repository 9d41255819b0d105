import { endpoint } from "@/lib/platform/http/contract";
import { page } from "@/lib/platform/http/fields";
import { SellerReview, SellerReviewFilter } from "@/lib/reviews/seller-reviews/schema";

const exampleSellerReview = {
  id: "b80e4c6d1f2a9357",
  author: "Ada",
  score: 5,
  score_max: 5,
  date: "2026-05-20",
  extract: "Sent the same day, well packed.",
  lang: "en",
  verified_buyer: true,
  votes_up: 0,
  votes_down: 0,
  responses: [
    {
      author: "Example Shop",
      date: "2026-05-21",
      extract: "Thank you, Ada.",
      lang: "en",
      updated_at: "2026-05-21T08:02:10Z",
    },
  ],
  images: [],
  properties: {},
  order_id: "100045",
  customer_id: "c-2071",
  updated_at: "2026-05-21T08:02:10Z",
  accepted: true,
  accepted_at: "2026-05-21T07:12:45Z",
  author_email: "ada@example.org",
  portal_url: "https://reviews.example.com/portal/seller_reviews/b80e4c6d1f2a9357?client_id=shop.example.com",
};

export const listSellerReviewsContract = endpoint({
  id: "seller_reviews.list",
  method: "GET",
  path: "/v1/seller_reviews",
  tag: "Seller reviews",
  summary: "List seller reviews with any status",
  description:
    "Oldest first, or by last change with `updated_after`, as for reviews. Read-only: seller reviews are collected by invitations and moderated in the portal.",
  auth: "management",
  query: SellerReviewFilter,
  response: page(SellerReview),
  example: { query: "client_id=shop.example.com", answer: { data: [exampleSellerReview], links: {} } },
});
