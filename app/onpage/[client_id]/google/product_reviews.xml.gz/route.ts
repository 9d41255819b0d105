import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { packedReviewFeedContract } from "@/lib/review-feed/contract";
import { showReviewFeed } from "@/lib/review-feed/show-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(packedReviewFeedContract, ({ params, headers }) =>
    showReviewFeed(params.client_id, { packed: true, ifNoneMatch: headers.get("if-none-match") }),
  ),
);
