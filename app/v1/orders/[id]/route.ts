import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getOrderContract } from "@/lib/orders/contract";
import { getOrder } from "@/lib/orders/get-order";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getOrderContract, async ({ actor, client, params }) => ({ data: await getOrder(actor, client, params.id) })),
);
