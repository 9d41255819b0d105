import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { rotateWebhookContract } from "@/lib/integrations/webhooks/contract";
import { rotateSecret } from "@/lib/integrations/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(rotateWebhookContract, async ({ actor, client, params }) => ({
    data: await rotateSecret(actor, client, params.id),
  })),
);
