import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { getOrderContract } from "@/lib/orders/contract";
import { getOrderJson } from "@/lib/orders/get-order";
import { RawJson } from "@/lib/platform/http/reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(
    getOrderContract,
    async ({ actor, client, params }) => new RawJson(`{"data":${await getOrderJson(actor, client, params.id)}}`),
  ),
);
