import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { findPersonContract } from "@/lib/personal-data/contract";
import { findPerson } from "@/lib/personal-data/find-person";
import { personOf } from "@/lib/personal-data/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(findPersonContract, async ({ client, query }) => ({ data: await findPerson(client, personOf(query)) })),
);
