import { ReviewFeedParams } from "@/lib/display/google-feed/schema";
import { endpoint } from "@/lib/platform/http/contract";

const shared = {
  method: "GET",
  tag: "Display",
  auth: "public",
  params: ReviewFeedParams,
  alternatives: { 304: undefined },
  limit: "feed",
} as const;

const described =
  "All accepted reviews, whatever their stars, as Google's product ratings read them (schema 2.4): text, stars, product and the name that the author chose to publish. Written as it is read. Weak ETag; `If-None-Match` answers 304.";

export const reviewFeedContract = endpoint({
  id: "display.google_reviews",
  path: "/onpage/{client_id}/google/product_reviews.xml",
  summary: "All accepted reviews as Google's product-review feed",
  description: `${described} Packed where the caller accepts gzip.`,
  produces: "application/xml; charset=utf-8",
  ...shared,
  example: { params: { client_id: "shop.example.com" } },
});

export const packedReviewFeedContract = endpoint({
  id: "display.google_reviews_packed",
  path: "/onpage/{client_id}/google/product_reviews.xml.gz",
  summary: "The same as a gzip file, for callers that name a file and ask for nothing",
  description: described,
  produces: "application/gzip",
  ...shared,
  example: { params: { client_id: "shop.example.com" } },
});
