import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyReceiptContract } from "@/lib/display/honesty/contract";
import { showReceipt } from "@/lib/display/honesty/show-receipt";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyReceiptContract, ({ params, query, headers }) =>
    showReceipt(params.client_id, params.token, query.lang, headers),
  ),
);
