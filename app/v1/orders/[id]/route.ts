import { methods } from "@/lib/http/methods";
import { RawJson } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import { getOrderContract } from "@/lib/orders/contract";
import { getOrderJson } from "@/lib/orders/get-order";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(
    getOrderContract,
    async ({ actor, client, params }) => new RawJson(`{"data":${await getOrderJson(actor, client, params.id)}}`),
  ),
);
