import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { testWebhookContract } from "@/lib/webhooks/contract";
import { testWebhook } from "@/lib/webhooks/test-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(testWebhookContract, async ({ client, params }) => ({ data: await testWebhook(client, params.id) })),
);
