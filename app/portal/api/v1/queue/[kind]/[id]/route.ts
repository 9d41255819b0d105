import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { decideContract, getCaseContract } from "@/lib/moderation/queue/contract";
import { getCase } from "@/lib/moderation/queue/get-case";
import { decideItem } from "@/lib/reviews/decisions/decide-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getCaseContract, async ({ actor, client, params }) => ({
    data: await getCase(actor, client, params.kind, params.id),
  })),
  route(decideContract, async ({ actor, client, params, body }) => ({
    data: await decideItem(actor, client, params.kind, params.id, body),
  })),
);
