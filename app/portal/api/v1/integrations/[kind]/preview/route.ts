import { previewShare } from "@/lib/data-share/preview-share";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { previewShareContract } from "@/lib/integrations/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(previewShareContract, async ({ client, params }) => ({
    data: await previewShare(client, params.kind),
  })),
);
