import { setContractContract } from "@/lib/accounts/contract";
import { setClient } from "@/lib/accounts/stores/set-client";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setContractContract, async ({ actor, params, body }) => {
    await setClient(params.id, body, actor);
    return undefined;
  }),
);
