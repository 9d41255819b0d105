import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { rotateWebhookContract } from "@/lib/webhooks/contract";
import { rotateSecret } from "@/lib/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(rotateWebhookContract, async ({ actor, client, params }) => ({
    data: await rotateSecret(actor, client, params.id),
  })),
);
