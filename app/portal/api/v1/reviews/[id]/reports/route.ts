import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { closeReportsContract } from "@/lib/moderation/queue/contract";
import { closeReports } from "@/lib/reviews/votes/close-reports";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(closeReportsContract, ({ actor, client, params }) => closeReports(actor, client, params.id)),
);
