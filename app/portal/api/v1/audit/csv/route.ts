import { auditCsvContract } from "@/lib/accounts/contract";
import { auditCsv } from "@/lib/accounts/list-audit";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { Reply, StreamedBody } from "@/lib/platform/http/reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(
    auditCsvContract,
    ({ actor, client, query }) =>
      new Reply<undefined>(new StreamedBody(auditCsv(actor, client, query)), {
        headers: { "Content-Disposition": 'attachment; filename="audit.csv"' },
      }),
  ),
);
