import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listContributions } from "@/lib/reviews/contributions/list-contributions";
import { listSellerReviewsContract } from "@/lib/reviews/seller-reviews/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listSellerReviewsContract, ({ actor, client, query, url }) =>
    listContributions("seller_reviews", actor, client, query, url),
  ),
);
