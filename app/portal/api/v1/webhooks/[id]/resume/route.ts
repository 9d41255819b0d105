import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { resumeWebhookContract } from "@/lib/webhooks/contract";
import { resumeWebhook } from "@/lib/webhooks/set-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(resumeWebhookContract, async ({ actor, client, params }) => ({
    data: await resumeWebhook(actor, client, params.id),
  })),
);
