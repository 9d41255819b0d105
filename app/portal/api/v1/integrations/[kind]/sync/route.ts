import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { askSync } from "@/lib/integrations/ask-sync";
import { syncIntegrationContract } from "@/lib/integrations/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(syncIntegrationContract, async ({ actor, client, params, body }) => ({
    data: await askSync(actor, client, params.kind, { confirmDeletions: body.confirm_deletions }),
  })),
);
