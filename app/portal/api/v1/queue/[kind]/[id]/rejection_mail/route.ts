import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { rejectionMailContract } from "@/lib/queue/contract";
import { previewRejection } from "@/lib/rejections/preview-rejection";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(rejectionMailContract, async ({ client, params }) => ({
    data: await previewRejection(client, params.kind, params.id),
  })),
);
