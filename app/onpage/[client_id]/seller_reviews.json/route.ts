import { displaySellerReviewsContract } from "@/lib/display/contract";
import { showSellerReviews } from "@/lib/display/show-seller-reviews";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displaySellerReviewsContract, ({ params, query, headers }) =>
    showSellerReviews(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
