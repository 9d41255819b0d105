import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { syncIntegrationContract } from "@/lib/integrations/contract";
import { requestSync } from "@/lib/integrations/request-sync";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(syncIntegrationContract, async ({ actor, client, params, body }) => ({
    data: await requestSync(actor, client, params.kind, { confirmDeletions: body.confirm_deletions }),
  })),
);
