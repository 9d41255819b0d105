import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { retryDeliveriesContract } from "@/lib/integrations/contract";
import { retryDeliveries } from "@/lib/integrations/retry-deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(retryDeliveriesContract, async ({ actor, client, params, body }) => ({
    data: await retryDeliveries(actor, client, params.kind, body.delivery_id ?? null),
  })),
);
