import { invitePersonContract, listPeopleContract } from "@/lib/accounts/contract";
import { invitePerson } from "@/lib/accounts/invite-person";
import { listPeople } from "@/lib/accounts/list-people";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listPeopleContract, async ({ actor, client }) => ({ data: await listPeople(actor, client) })),
  route(invitePersonContract, async ({ actor, client, body }) => ({ data: await invitePerson(actor, client, body) })),
);
