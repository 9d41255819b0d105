import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { analyticsCsvContract } from "@/lib/insights/analytics/contract";
import { analyticsCsv } from "@/lib/insights/analytics/get-analytics";
import { Reply, StreamedBody } from "@/lib/platform/http/reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(
    analyticsCsvContract,
    async ({ client, query }) =>
      new Reply<undefined>(new StreamedBody(await analyticsCsv(client, query)), {
        headers: { "Content-Disposition": `attachment; filename="reviews-by-${query.by}.csv"` },
      }),
  ),
);
