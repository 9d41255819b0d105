import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { displayScoresContract } from "@/lib/display/contract";
import { showRatings } from "@/lib/display/show-ratings-of-products";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayScoresContract, ({ params, query, headers }) =>
    showRatings(params.client_id, query, { callback: query.callback, ifNoneMatch: headers.get("if-none-match") }),
  ),
);
