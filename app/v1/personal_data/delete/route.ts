import { methods } from "@/lib/http/methods";
import { RawJson, Reply } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import { deletePersonalDataContract } from "@/lib/personal-data/contract";
import { deletePersonalData } from "@/lib/personal-data/delete-personal-data";
import { personOf } from "@/lib/personal-data/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(deletePersonalDataContract, async ({ actor, client, body }) => {
    const outcome = await deletePersonalData(actor, client, personOf(body));
    if (outcome === "deleted") return undefined;
    return new Reply<undefined>(new RawJson(JSON.stringify({ data: { status: outcome } })), { status: 202 });
  }),
);
