import { displaySummaryContract } from "@/lib/display/contract";
import { showSummary } from "@/lib/display/show-summary";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(displaySummaryContract, ({ params, query, headers }) =>
    showSummary(params.client_id, query, { callback: query.callback, ifNoneMatch: headers.get("if-none-match") }),
  ),
);
