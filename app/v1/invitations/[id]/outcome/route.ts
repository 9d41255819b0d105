import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { tellOutcomeContract } from "@/lib/invitations/contract";
import { tellOutcome } from "@/lib/invitations/tell-outcome";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(tellOutcomeContract, async ({ client, params, body }): Promise<undefined> => {
    await tellOutcome(client, params.id, body);
  }),
);
