import { collectReview, reviewFaults } from "@/lib/collect/collect-review";
import { collectReviewContract } from "@/lib/collect/contract";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(collectReviewContract, ({ client, body }) => collectReview(client, body), reviewFaults),
);
