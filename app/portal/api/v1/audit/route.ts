import { listAuditContract } from "@/lib/accounts/contract";
import { listAudit } from "@/lib/accounts/list-audit";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listAuditContract, ({ actor, client, query, url }) => listAudit(actor, client, query, url)),
);
