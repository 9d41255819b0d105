import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { sellerFragmentContract } from "@/lib/display/widget/contract";
import { showSellerLine } from "@/lib/display/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(sellerFragmentContract, ({ params, query, headers }) => showSellerLine(params.client_id, query.lang, headers)),
);
