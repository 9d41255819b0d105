import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { createWebhookContract } from "@/lib/webhooks/contract";
import { createWebhook } from "@/lib/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createWebhookContract, async ({ actor, client, body }) => ({ data: await createWebhook(actor, client, body) })),
);
