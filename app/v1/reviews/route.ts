import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { receiptHeader } from "@/lib/platform/http/honesty-page";
import { Reply } from "@/lib/platform/http/reply";
import { listContributions } from "@/lib/reviews/contributions/list-contributions";
import { listReviewsContract, upsertReviewContract } from "@/lib/reviews/reviews/contract";
import { malformedReviewIssues } from "@/lib/reviews/reviews/review-issues";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listReviewsContract, ({ actor, client, query, url }) =>
    listContributions("reviews", actor, client, query, url),
  ),
  route(
    upsertReviewContract,
    async ({ actor, client, body }) => {
      const { created, review, receipt } = await upsertReview(actor, client, body.review);
      return new Reply<never>(review, { status: created ? 201 : 200, headers: receiptHeader(client.id, receipt) });
    },
    (client, given) => malformedReviewIssues(client, given),
  ),
);
