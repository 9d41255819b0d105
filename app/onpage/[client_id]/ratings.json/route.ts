import { displayRatingsContract } from "@/lib/display/contract";
import { showRatings } from "@/lib/display/show-ratings";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displayRatingsContract, ({ params, query, headers }) =>
    showRatings(params.client_id, query, {
      callback: query.callback,
      ifNoneMatch: headers.get("if-none-match"),
    }),
  ),
);
