import { setClient } from "@/lib/accounts/stores/set-client";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { setSendingContract } from "@/lib/invitations/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setSendingContract, async ({ actor, client, body }) => {
    await setClient(client.id, body, actor);
    return undefined;
  }),
);
