import { env } from "@/lib/env";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { webhookDeliveriesContract } from "@/lib/webhooks/contract";
import { getWebhook, listWebhookDeliveries } from "@/lib/webhooks/list-webhooks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(webhookDeliveriesContract, async ({ client, params, query, url }) => {
    await getWebhook(client, params.id);
    const { deliveries, next } = await listWebhookDeliveries(client, params.id, query);
    const search = new URLSearchParams(url.search);
    if (next) search.set("after", next);
    return { data: deliveries, links: next ? { next: `${env().PUBLIC_URL}${url.pathname}?${search}` } : {} };
  }),
);
