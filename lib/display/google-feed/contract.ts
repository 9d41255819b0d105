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
  "All published reviews, regardless of score, in the schema of Google's product ratings (2.4): text, score, product and public name of the author. Has a weak ETag. `If-None-Match` gets 304 if nothing changed.";

export const reviewFeedContract = endpoint({
  id: "display.google_reviews",
  path: "/onpage/{client_id}/google/product_reviews.xml",
  summary: "Retrieve all published reviews as a Google product review feed",
  description: `${described} Compressed if the caller accepts gzip.`,
  produces: "application/xml; charset=utf-8",
  ...shared,
  example: { params: { client_id: "shop.example.com" } },
});

export const packedReviewFeedContract = endpoint({
  id: "display.google_reviews_packed",
  path: "/onpage/{client_id}/google/product_reviews.xml.gz",
  summary: "Retrieve the Google product review feed as a gzip file",
  description: described,
  produces: "application/gzip",
  ...shared,
  example: { params: { client_id: "shop.example.com" } },
});
