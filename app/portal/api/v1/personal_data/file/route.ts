import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { personFileContract } from "@/lib/personal-data/contract";
import { makePersonFile } from "@/lib/personal-data/make-person-file";
import { personOf } from "@/lib/personal-data/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(personFileContract, async ({ actor, client, body }) => ({
    data: await makePersonFile(actor, client, personOf(body)),
  })),
);
