import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { reviewsFragmentContract } from "@/lib/widget/contract";
import { showReviewList } from "@/lib/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(reviewsFragmentContract, ({ params, query, headers }) => showReviewList(params.client_id, query, headers)),
);
