import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { personFileContract } from "@/lib/privacy/contract";
import { makePersonFile } from "@/lib/privacy/make-person-file";
import { personOf } from "@/lib/privacy/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(personFileContract, async ({ actor, client, body }) => ({
    data: await makePersonFile(actor, client, personOf(body)),
  })),
);
