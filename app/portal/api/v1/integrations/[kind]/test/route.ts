import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { testIntegrationContract } from "@/lib/integrations/contract";
import { testIntegration } from "@/lib/integrations/test-integration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(testIntegrationContract, async ({ client, params }) => ({
    data: await testIntegration(client, params.kind),
  })),
);
