import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { Reply } from "@/lib/platform/http/reply";
import { listContributions } from "@/lib/reviews/contributions/list-contributions";
import { listReviewsContract, postReviewContract } from "@/lib/reviews/reviews/contract";
import { postReview } from "@/lib/reviews/reviews/post-review";
import { issuesOfReadable } from "@/lib/reviews/reviews/review-issues";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listReviewsContract, ({ actor, client, query, url }) =>
    listContributions("reviews", actor, client, query, url),
  ),
  route(
    postReviewContract,
    async ({ actor, client, body }) => {
      const { created, review } = await postReview(actor, client, body.review);
      return new Reply<never>(review, { status: created ? 201 : 200 });
    },
    (client, given) => issuesOfReadable(client, given),
  ),
);
