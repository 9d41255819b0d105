import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { changeWebhookContract, deleteWebhookContract } from "@/lib/webhooks/contract";
import { changeWebhook, removeWebhook } from "@/lib/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeWebhookContract, async ({ actor, client, params, body }) => ({
    data: await changeWebhook(actor, client, params.id, body),
  })),
  route(deleteWebhookContract, async ({ actor, client, params }) => {
    await removeWebhook(actor, client, params.id);
    return undefined;
  }),
);
