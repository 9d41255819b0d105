import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { reviewFeedContract } from "@/lib/review-feed/contract";
import { showReviewFeed } from "@/lib/review-feed/show-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(reviewFeedContract, ({ params, headers }) =>
    showReviewFeed(params.client_id, {
      packed: false,
      ifNoneMatch: headers.get("if-none-match"),
      acceptEncoding: headers.get("accept-encoding"),
    }),
  ),
);
