import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { pauseWebhookContract } from "@/lib/integrations/webhooks/contract";
import { pauseWebhook } from "@/lib/integrations/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(pauseWebhookContract, async ({ actor, client, params }) => ({
    data: await pauseWebhook(actor, client, params.id),
  })),
);
