import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { tryRulesContract } from "@/lib/moderation/rules/contract";
import { tryRules } from "@/lib/moderation/rules/try-rules";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(tryRulesContract, async ({ client, body }) => ({ data: await tryRules(client, body) })),
);
