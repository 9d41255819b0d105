import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { exportLibraryContract } from "@/lib/moderation/library/contract";
import { Reply, StreamedBody } from "@/lib/platform/http/reply";
import { exportLibrary } from "@/lib/transfer/export-library";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(exportLibraryContract, async ({ actor, client, query: { format, ids, ...filter } }) => {
    const { file, total, text } = await exportLibrary(actor, client, filter, { format, ids: ids?.split(",") });
    return new Reply<undefined>(new StreamedBody(text), {
      headers: {
        ...(format === "jsonl" ? { "Content-Type": "application/x-ndjson; charset=utf-8" } : {}),
        "Content-Disposition": `attachment; filename="${file}"`,
        "Candor-Total": String(total),
      },
    });
  }),
);
