import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { rejectionMailContract } from "@/lib/moderation/queue/contract";
import { previewRejection } from "@/lib/moderation/rejections/preview-rejection";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(rejectionMailContract, async ({ client, params }) => ({
    data: await previewRejection(client, params.kind, params.id),
  })),
);
