import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyReceiptFileContract } from "@/lib/display/honesty/contract";
import { downloadReceipt } from "@/lib/display/honesty/show-receipt";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyReceiptFileContract, ({ params }) => downloadReceipt(params.client_id, params.token)),
);
