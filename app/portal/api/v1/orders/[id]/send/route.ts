import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { sendManuallyContract } from "@/lib/invitations/contract";
import { sendManually } from "@/lib/invitations/send-manually";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(sendManuallyContract, async ({ actor, client, params, body }) => ({
    data: await sendManually(actor, client, params.id, body.items, body.lang),
  })),
);
