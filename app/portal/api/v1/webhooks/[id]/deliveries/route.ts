import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { webhookDeliveriesContract } from "@/lib/integrations/webhooks/contract";
import { getWebhook, listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { env } from "@/lib/platform/env";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(webhookDeliveriesContract, async ({ client, params, query, url }) => {
    await getWebhook(client, params.id);
    const { deliveries, next } = await listWebhookDeliveries(client, params.id, query);
    const search = new URLSearchParams(url.search);
    if (next) search.set("after", next);
    return { data: deliveries, links: next ? { next: `${env().PUBLIC_URL}${url.pathname}?${search}` } : {} };
  }),
);
