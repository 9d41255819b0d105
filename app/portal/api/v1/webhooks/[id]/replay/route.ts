import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { replayWebhookContract } from "@/lib/webhooks/contract";
import { replayDeliveries } from "@/lib/webhooks/replay";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(replayWebhookContract, async ({ actor, client, params, body }) => ({
    data: await replayDeliveries(actor, client, params.id, body),
  })),
);
