import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { recordViewerContract } from "@/lib/moderation/queue/contract";
import { recordViewer } from "@/lib/moderation/queue/record-viewer";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(recordViewerContract, async ({ actor, client, params }) => ({
    data: await recordViewer(actor, client, params.kind, params.id),
  })),
);
