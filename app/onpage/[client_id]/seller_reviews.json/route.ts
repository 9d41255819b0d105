import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { displaySellerReviewsContract } from "@/lib/display/contract";
import { showSellerReviews } from "@/lib/display/show-seller-reviews";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displaySellerReviewsContract, ({ params, query, headers }) =>
    showSellerReviews(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
