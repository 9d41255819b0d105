import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { reportOutcomeContract } from "@/lib/invitations/contract";
import { reportDelegatedOutcome } from "@/lib/invitations/report-delegated-outcome";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(reportOutcomeContract, async ({ client, params, body }): Promise<undefined> => {
    await reportDelegatedOutcome(client, params.id, body);
  }),
);
