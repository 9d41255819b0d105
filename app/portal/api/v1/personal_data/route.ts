import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { findPersonContract } from "@/lib/privacy/contract";
import { findPerson } from "@/lib/privacy/find-person";
import { personOf } from "@/lib/privacy/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(findPersonContract, async ({ client, query }) => ({ data: await findPerson(client, personOf(query)) })),
);
