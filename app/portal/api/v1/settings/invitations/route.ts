import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { setSendingContract } from "@/lib/invitations/contract";
import { setClient } from "@/lib/settings/set-client";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setSendingContract, async ({ actor, client, body }) => {
    await setClient(client.id, body, actor);
    return undefined;
  }),
);
