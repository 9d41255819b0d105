import { setContractContract } from "@/lib/accounts/contract";
import { setClient } from "@/lib/clients/set-client";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setContractContract, async ({ actor, params, body }) => {
    await setClient(params.id, body, actor);
    return undefined;
  }),
);
