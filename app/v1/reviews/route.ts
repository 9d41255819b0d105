import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listReviewsContract } from "@/lib/reviews/contract";
import { listReviews } from "@/lib/reviews/list-reviews";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listReviewsContract, ({ actor, client, query, url }) => listReviews(actor, client, query, url)),
);
