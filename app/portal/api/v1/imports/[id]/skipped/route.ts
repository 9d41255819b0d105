import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { bytesOf, Reply, StreamedBody } from "@/lib/platform/http/reply";
import { skippedRowsContract } from "@/lib/transfer/imports/contract";
import { skippedRowsCsv } from "@/lib/transfer/imports/list-review-imports";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(
    skippedRowsContract,
    async ({ client, params }) =>
      new Reply<undefined>(new StreamedBody(bytesOf(await skippedRowsCsv(client, params.id))), {
        headers: { "Content-Disposition": 'attachment; filename="skipped-rows.csv"' },
      }),
  ),
);
