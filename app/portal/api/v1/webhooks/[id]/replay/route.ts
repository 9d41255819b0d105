import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { replayWebhookContract } from "@/lib/integrations/webhooks/contract";
import { replayDeliveries } from "@/lib/integrations/webhooks/replay";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(replayWebhookContract, async ({ actor, client, params, body }) => ({
    data: await replayDeliveries(actor, client, params.id, body),
  })),
);
