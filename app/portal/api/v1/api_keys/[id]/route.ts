import { revokeKey } from "@/lib/accounts/api-keys";
import { revokeApiKeyContract } from "@/lib/accounts/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(revokeApiKeyContract, async ({ actor, client, params }) => {
    await revokeKey(params.id, { by: actor, clientId: client.id });
    return undefined;
  }),
);
