import { closeReports } from "@/lib/feedback/close-reports";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { closeReportsContract } from "@/lib/queue/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(closeReportsContract, ({ actor, client, params }) => closeReports(actor, client, params.id)),
);
