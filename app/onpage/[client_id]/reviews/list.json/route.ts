import { displayReviewsContract } from "@/lib/display/contract";
import { showReviews } from "@/lib/display/show-reviews";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayReviewsContract, ({ params, query, headers }) =>
    showReviews(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
