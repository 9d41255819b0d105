import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { undoCountsContract } from "@/lib/transfer/imports/contract";
import { countUndo } from "@/lib/transfer/imports/undo-import";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(undoCountsContract, async ({ client, params }) => ({ data: await countUndo(client, params.id) })),
);
