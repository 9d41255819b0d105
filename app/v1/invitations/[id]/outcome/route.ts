import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { reportOutcomeContract } from "@/lib/invitations/contract";
import { reportOutcome } from "@/lib/invitations/report-delegated-outcome";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(reportOutcomeContract, async ({ client, params, body }): Promise<undefined> => {
    await reportOutcome(client, params.id, body);
  }),
);
