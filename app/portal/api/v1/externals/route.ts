import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { importExternalsContract } from "@/lib/feeds/external-ratings/contract";
import { importExternals } from "@/lib/feeds/external-ratings/import-externals";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(importExternalsContract, async ({ client, body }) => {
    const report = await importExternals(client.id, body.file.stream(), { source: body.file.name || "upload" });
    const { read, created, updated, unchanged, rejected } = report;
    return { data: { read, created, updated, unchanged, rejected } };
  }),
);
