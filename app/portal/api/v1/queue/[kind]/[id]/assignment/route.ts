import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { assignItem } from "@/lib/moderation/assignments/assign-item";
import { assignContract } from "@/lib/moderation/assignments/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(assignContract, async ({ actor, client, params, body }) => ({
    data: await assignItem(actor, client, params.kind, params.id, body),
  })),
);
