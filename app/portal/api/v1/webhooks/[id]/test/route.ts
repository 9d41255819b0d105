import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { testWebhookContract } from "@/lib/integrations/webhooks/contract";
import { testWebhook } from "@/lib/integrations/webhooks/test-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(testWebhookContract, async ({ client, params }) => ({ data: await testWebhook(client, params.id) })),
);
