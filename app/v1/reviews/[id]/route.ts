import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getReviewContract, updateReviewContract } from "@/lib/reviews/contract";
import { getReview } from "@/lib/reviews/get-review";
import { moderateReview } from "@/lib/reviews/moderate-review";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getReviewContract, ({ actor, client, params }) => getReview(actor, client, params.id)),
  route(updateReviewContract, ({ actor, client, params, body }) =>
    moderateReview(actor, client, params.id, body.review),
  ),
);
