import { listContributions } from "@/lib/contributions/list-contributions";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listReviewsContract } from "@/lib/reviews/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listReviewsContract, ({ actor, client, query, url }) =>
    listContributions("reviews", actor, client, query, url),
  ),
);
