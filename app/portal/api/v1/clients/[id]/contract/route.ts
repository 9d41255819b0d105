import { setContractContract } from "@/lib/accounts/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { setClient } from "@/lib/settings/set-client";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setContractContract, async ({ actor, params, body }) => {
    await setClient(params.id, body, actor);
    return undefined;
  }),
);
