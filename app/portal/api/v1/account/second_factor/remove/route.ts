import { removeSecondFactorContract } from "@/lib/accounts/contract";
import { removeSecondFactor } from "@/lib/accounts/own-second-factor";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeSecondFactorContract, async ({ actor, body }) => {
    await removeSecondFactor(actor, body);
    return undefined;
  }),
);
