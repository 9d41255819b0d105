import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { displayExternalReviewsContract } from "@/lib/display/contract";
import { showExternalReviews } from "@/lib/display/show-external-reviews";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayExternalReviewsContract, ({ params, query, headers }) =>
    showExternalReviews(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
