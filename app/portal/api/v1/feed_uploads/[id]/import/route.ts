import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { startImportContract } from "@/lib/feeds/contract";
import { startImport } from "@/lib/feeds/upload-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(startImportContract, async ({ actor, client, params, body }) => ({
    data: await startImport(actor, client, params.id, body),
  })),
);
