import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { reviewsFragmentContract } from "@/lib/display/widget/contract";
import { showReviewList } from "@/lib/display/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(reviewsFragmentContract, ({ params, query, headers }) => showReviewList(params.client_id, query, headers)),
);
