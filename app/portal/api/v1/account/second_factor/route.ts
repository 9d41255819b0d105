import { beginSecondFactorContract } from "@/lib/accounts/contract";
import { beginSecondFactor } from "@/lib/accounts/second-factor";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(beginSecondFactorContract, async ({ actor, body }) => ({ data: await beginSecondFactor(actor, body) })),
);
