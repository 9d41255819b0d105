import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeHoldsContract } from "@/lib/orders/contract";
import { changeHolds } from "@/lib/orders/hold-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeHoldsContract, async ({ actor, client, params, body }) => {
    return { data: await changeHolds(actor, client, params.id, body.items) };
  }),
);
