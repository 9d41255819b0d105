import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeExclusion } from "@/lib/invitations/change-items";
import { excludeItemsContract } from "@/lib/orders/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(excludeItemsContract, async ({ actor, client, params, body }) => ({
    data: await changeExclusion(actor, client, params.id, body),
  })),
);
