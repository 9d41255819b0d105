import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { deletePersonalDataContract } from "@/lib/privacy/contract";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { personOf } from "@/lib/privacy/person";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(deletePersonalDataContract, async ({ actor, client, body }) => {
    const outcome = await erasePersonalData(actor, client, personOf(body));
    if (outcome === "deleted") return undefined;
    return new Reply<undefined>(new RawJson(JSON.stringify({ data: { status: outcome } })), { status: 202 });
  }),
);
