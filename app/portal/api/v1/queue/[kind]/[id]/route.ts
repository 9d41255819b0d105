import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { decideContract, getItemDetailContract } from "@/lib/moderation/queue/contract";
import { getItemDetail } from "@/lib/moderation/queue/get-item-detail";
import { decideItem } from "@/lib/reviews/decisions/decide-items";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getItemDetailContract, async ({ actor, client, params }) => ({
    data: await getItemDetail(actor, client, params.kind, params.id),
  })),
  route(decideContract, async ({ actor, client, params, body }) => ({
    data: await decideItem(actor, client, params.kind, params.id, body),
  })),
);
