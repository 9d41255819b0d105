import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { oldSellerReviewsContract } from "@/lib/display/contract";
import { showSellerReviews } from "@/lib/display/show-seller-reviews";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(oldSellerReviewsContract, ({ query, headers }) =>
    showSellerReviews(query.client_id, query, { callback: query.callback, ifNoneMatch: headers.get("if-none-match") }),
  ),
);
