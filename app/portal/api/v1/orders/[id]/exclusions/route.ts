import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeExclusionsContract } from "@/lib/orders/contract";
import { changeExclusions } from "@/lib/orders/exclude-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeExclusionsContract, async ({ actor, client, params, body }) => ({
    data: await changeExclusions(actor, client, params.id, body.items),
  })),
);
