import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { collectReview, malformedSubmissionIssues } from "@/lib/reviews/collect/collect-review";
import { oldCollectReviewContract } from "@/lib/reviews/collect/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(oldCollectReviewContract, ({ client, body }) => collectReview(client, body), malformedSubmissionIssues),
);
