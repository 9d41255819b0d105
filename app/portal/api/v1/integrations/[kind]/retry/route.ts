import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { retryDeliveriesContract } from "@/lib/integrations/contract";
import { retryDeliveries } from "@/lib/integrations/retry-deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(retryDeliveriesContract, async ({ actor, client, params, body }) => ({
    data: await retryDeliveries(actor, client, params.kind, body.delivery_id ?? null),
  })),
);
