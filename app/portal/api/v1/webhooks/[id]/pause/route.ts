import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { pauseWebhookContract } from "@/lib/webhooks/contract";
import { pauseWebhook } from "@/lib/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(pauseWebhookContract, async ({ actor, client, params }) => ({
    data: await pauseWebhook(actor, client, params.id),
  })),
);
