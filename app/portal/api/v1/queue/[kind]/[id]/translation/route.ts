import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { translateContract } from "@/lib/moderation/translation/contract";
import { translateItem } from "@/lib/moderation/translation/translate-item";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(translateContract, async ({ actor, client, params, query }) => ({
    data: await translateItem(actor, client, params.kind, params.id, query.lang),
  })),
);
