import { auditCsvContract } from "@/lib/accounts/contract";
import { auditCsv } from "@/lib/accounts/list-audit";
import { methods } from "@/lib/http/methods";
import { Reply, Streamed } from "@/lib/http/reply";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(
    auditCsvContract,
    ({ actor, client, query }) =>
      new Reply<undefined>(new Streamed(auditCsv(actor, client, query)), {
        headers: { "Content-Disposition": 'attachment; filename="audit.csv"' },
      }),
  ),
);
