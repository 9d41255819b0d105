import { z } from "zod";
import { RuleOpinion, RuleTrial } from "@/lib/auto-moderation/schema";
import { endpoint } from "@/lib/http/contract";
import { clientId, single } from "@/lib/http/fields";

export const tryRulesContract = endpoint({
  id: "portal.rules.try",
  method: "POST",
  path: "/portal/api/v1/rules/try",
  tag: "Portal",
  summary: "What the moderation rules say of a text; nothing is kept",
  description: "Rules that compare with what else came in (near-duplicates, many at once) have nothing to say here.",
  auth: "session",
  scope: "read",
  role: "viewer",
  query: z.object({ client_id: clientId }),
  body: RuleTrial,
  response: single(RuleOpinion),
});
