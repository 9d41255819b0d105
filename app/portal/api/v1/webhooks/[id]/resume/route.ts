import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { resumeWebhookContract } from "@/lib/integrations/webhooks/contract";
import { resumeWebhook } from "@/lib/integrations/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(resumeWebhookContract, async ({ actor, client, params }) => ({
    data: await resumeWebhook(actor, client, params.id),
  })),
);
