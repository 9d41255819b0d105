import { setClient } from "@/lib/clients/set-client";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { setSendingContract } from "@/lib/invitations/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setSendingContract, async ({ actor, client, body }) => {
    await setClient(client.id, body, actor);
    return undefined;
  }),
);
