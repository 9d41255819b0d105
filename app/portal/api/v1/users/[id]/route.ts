import { changePerson } from "@/lib/accounts/change-person";
import { changePersonContract } from "@/lib/accounts/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(changePersonContract, async ({ actor, client, params, body }) => {
    await changePerson(actor, client, params.id, body);
    return undefined;
  }),
);
