import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { reviewFeedContract } from "@/lib/display/google-feed/contract";
import { showReviewFeed } from "@/lib/display/google-feed/show-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(reviewFeedContract, ({ params, headers }) =>
    showReviewFeed(params.client_id, {
      packed: false,
      ifNoneMatch: headers.get("if-none-match"),
      acceptEncoding: headers.get("accept-encoding"),
    }),
  ),
);
