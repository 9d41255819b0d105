import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { collectReview, malformedSubmissionIssues } from "@/lib/reviews/collect/collect-review";
import { collectReviewContract } from "@/lib/reviews/collect/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(collectReviewContract, ({ client, body }) => collectReview(client, body), malformedSubmissionIssues),
);
