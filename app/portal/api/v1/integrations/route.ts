import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createIntegrationContract } from "@/lib/integrations/contract";
import { createIntegration } from "@/lib/integrations/set-integration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createIntegrationContract, async ({ actor, client, body }) => ({
    data: await createIntegration(actor, client, body),
  })),
);
