import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { deleteReviewContract, getReviewContract, updateReviewContract } from "@/lib/reviews/reviews/contract";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { getReview } from "@/lib/reviews/reviews/get-review";
import { malformedReviewIssues } from "@/lib/reviews/reviews/review-issues";
import { updateReview } from "@/lib/reviews/reviews/update-review";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getReviewContract, ({ actor, client, params }) => getReview(actor, client, params.id)),
  route(
    updateReviewContract,
    ({ actor, client, params, body }) => updateReview(actor, client, params.id, body.review),
    (client, given, { id }) => malformedReviewIssues(client, given, id),
  ),
  route(deleteReviewContract, async ({ actor, client, params }): Promise<undefined> => {
    await deleteReview(actor, client, params.id);
  }),
);
