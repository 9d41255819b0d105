import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { pauseIntegrationContract } from "@/lib/integrations/contract";
import { switchIntegration } from "@/lib/integrations/set-integration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(pauseIntegrationContract, async ({ actor, client, params }) => ({
    data: await switchIntegration(actor, client, params.kind, false),
  })),
);
