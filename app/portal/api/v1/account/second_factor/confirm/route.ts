import { confirmSecondFactorContract } from "@/lib/accounts/contract";
import { confirmSecondFactor } from "@/lib/accounts/own-second-factor";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(confirmSecondFactorContract, async ({ actor, body }) => ({
    data: { recovery_codes: await confirmSecondFactor(actor, body) },
  })),
);
