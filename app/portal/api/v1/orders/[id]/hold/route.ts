import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { pauseItems } from "@/lib/invitations/change-items";
import { holdItemsContract } from "@/lib/orders/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(holdItemsContract, async ({ actor, client, params, body }) => {
    return { data: await pauseItems(actor, client, params.id, body) };
  }),
);
