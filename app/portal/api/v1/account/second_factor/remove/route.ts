import { removeSecondFactorContract } from "@/lib/accounts/contract";
import { removeSecondFactor } from "@/lib/accounts/second-factor";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeSecondFactorContract, async ({ actor, body }) => {
    await removeSecondFactor(actor, body);
    return undefined;
  }),
);
