import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { holdItemsContract } from "@/lib/orders/contract";
import { holdItems } from "@/lib/orders/hold-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(holdItemsContract, async ({ client, params, body }) => {
    await holdItems(client, params.id, body);
    return undefined;
  }),
);
