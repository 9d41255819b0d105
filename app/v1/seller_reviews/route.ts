import { listContributions } from "@/lib/contributions/list-contributions";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listSellerReviewsContract } from "@/lib/seller-reviews/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listSellerReviewsContract, ({ actor, client, query, url }) =>
    listContributions("seller_reviews", actor, client, query, url),
  ),
);
