import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { displayReviewsContract } from "@/lib/display/contract";
import { showReviews } from "@/lib/display/show-reviews";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayReviewsContract, ({ params, query, headers }) =>
    showReviews(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
