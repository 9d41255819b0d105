import { listContributions } from "@/lib/contributions/list-contributions";
import { methods } from "@/lib/http/methods";
import { Reply } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import { listReviewsContract, postReviewContract } from "@/lib/reviews/contract";
import { postReview } from "@/lib/reviews/post-review";
import { faultsOfReadable } from "@/lib/reviews/review-faults";

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
    (client, given) => faultsOfReadable(client, given),
  ),
);
