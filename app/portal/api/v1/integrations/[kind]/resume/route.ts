import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { resumeIntegrationContract } from "@/lib/integrations/contract";
import { switchIntegration } from "@/lib/integrations/set-integration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(resumeIntegrationContract, async ({ actor, client, params }) => ({
    data: await switchIntegration(actor, client, params.kind, true),
  })),
);
