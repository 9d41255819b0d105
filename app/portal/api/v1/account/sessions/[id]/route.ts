import { endSessionContract } from "@/lib/accounts/contract";
import { endOwnSession } from "@/lib/accounts/own-account";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(endSessionContract, async ({ actor, params }) => {
    await endOwnSession(actor, params.id);
    return undefined;
  }),
);
