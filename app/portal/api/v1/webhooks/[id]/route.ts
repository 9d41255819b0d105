import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeWebhookContract, deleteWebhookContract } from "@/lib/integrations/webhooks/contract";
import { changeWebhook, removeWebhook } from "@/lib/integrations/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeWebhookContract, async ({ actor, client, params, body }) => ({
    data: await changeWebhook(actor, client, params.id, body),
  })),
  route(deleteWebhookContract, async ({ actor, client, params }) => {
    await removeWebhook(actor, client, params.id);
    return undefined;
  }),
);
