import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getCaseContract } from "@/lib/queue/contract";
import { getCase } from "@/lib/queue/get-case";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getCaseContract, async ({ actor, client, params }) => ({ data: await getCase(actor, client, params.id) })),
);
