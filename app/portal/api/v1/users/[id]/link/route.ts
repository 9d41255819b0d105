import { mailPersonContract } from "@/lib/accounts/contract";
import { mailPerson } from "@/lib/accounts/invite-person";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(mailPersonContract, async ({ actor, client, params }) => {
    await mailPerson(actor, client, params.id);
    return undefined;
  }),
);
