import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { sendByHandContract } from "@/lib/invitations/contract";
import { sendByHand } from "@/lib/invitations/send-by-hand";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(sendByHandContract, async ({ actor, client, params, body }) => ({
    data: await sendByHand(actor, client, params.id, body.items, body.lang),
  })),
);
