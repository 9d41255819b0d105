import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { personFileContract } from "@/lib/privacy/contract";
import { createPersonFile } from "@/lib/privacy/create-person-file";
import { personOf } from "@/lib/privacy/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(personFileContract, async ({ actor, client, body }) => ({
    data: await createPersonFile(actor, client, personOf(body)),
  })),
);
