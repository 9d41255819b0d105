import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { badgeSummaryContract } from "@/lib/display/contract";
import { showSummary } from "@/lib/display/show-product-summary";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(badgeSummaryContract, ({ params, query, headers }) =>
    showSummary(params.client_id, query, { callback: query.callback, ifNoneMatch: headers.get("if-none-match") }),
  ),
);
