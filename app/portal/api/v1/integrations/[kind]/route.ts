import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { changeIntegrationContract, removeIntegrationContract } from "@/lib/integrations/contract";
import { changeIntegration, removeIntegration } from "@/lib/integrations/set-integration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changeIntegrationContract, async ({ actor, client, params, body }) => ({
    data: await changeIntegration(actor, client, params.kind, body),
  })),
  route(removeIntegrationContract, async ({ actor, client, params }) => {
    await removeIntegration(actor, client, params.kind);
    return undefined;
  }),
);
