import { importExternalsContract } from "@/lib/externals/contract";
import { importExternals } from "@/lib/externals/import-externals";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(importExternalsContract, async ({ client, body }) => {
    const report = await importExternals(client.id, body.file.stream(), { source: body.file.name || "upload" });
    const { read, created, updated, unchanged, rejected } = report;
    return { data: { read, created, updated, unchanged, rejected } };
  }),
);
