import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { previewShareContract } from "@/lib/integrations/contract";
import { previewShare } from "@/lib/integrations/delta-share/preview-share";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(previewShareContract, async ({ client, params }) => ({
    data: await previewShare(client, params.kind),
  })),
);
