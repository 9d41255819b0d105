import { startSecondFactorContract } from "@/lib/accounts/contract";
import { startSecondFactor } from "@/lib/accounts/own-second-factor";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(startSecondFactorContract, async ({ actor, body }) => ({ data: await startSecondFactor(actor, body) })),
);
