import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createWebhookContract } from "@/lib/integrations/webhooks/contract";
import { createWebhook } from "@/lib/integrations/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createWebhookContract, async ({ actor, client, body }) => ({ data: await createWebhook(actor, client, body) })),
);
