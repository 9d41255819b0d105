import { startImportContract } from "@/lib/feeds/contract";
import { startImport } from "@/lib/feeds/upload-feed";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(startImportContract, async ({ actor, client, params, body }) => ({
    data: await startImport(actor, client, params.id, body),
  })),
);
