import { tryRulesContract } from "@/lib/auto-moderation/contract";
import { tryRules } from "@/lib/auto-moderation/try-rules";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(tryRulesContract, async ({ client, body }) => ({ data: await tryRules(client, body) })),
);
