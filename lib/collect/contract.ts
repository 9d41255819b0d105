import { ReviewBody, ReviewEcho } from "@/lib/collect/schema";
import { endpoint } from "@/lib/http/contract";

export const collectReviewContract = endpoint({
  id: "collect.review",
  method: "POST",
  path: "/collect/reviews",
  tag: "Collection",
  summary: "Submit a product review",
  description:
    "The review waits for moderation. The same submission within 60 seconds is stored once. Fields that the client does not collect are ignored.",
  auth: "public_key",
  body: ReviewBody,
  status: 201,
  response: ReviewEcho,
  limit: "submission",
});
