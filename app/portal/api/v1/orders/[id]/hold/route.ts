import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { holdItemsContract } from "@/lib/orders/contract";
import { holdItems } from "@/lib/orders/hold-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(holdItemsContract, async ({ actor, client, params, body }) => {
    return { data: await holdItems(actor, client, params.id, body) };
  }),
);
