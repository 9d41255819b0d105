import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sellerFragmentContract } from "@/lib/widget/contract";
import { showSellerLine } from "@/lib/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(sellerFragmentContract, ({ params, query, headers }) => showSellerLine(params.client_id, query.lang, headers)),
);
