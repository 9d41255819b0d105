import { mailPersonContract } from "@/lib/accounts/contract";
import { mailPersonLink } from "@/lib/accounts/invite-person";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(mailPersonContract, async ({ actor, client, params }) => {
    await mailPersonLink(actor, client, params.id);
    return undefined;
  }),
);
