import { z } from "zod";
import { RuleTestInput, RuleTestResult } from "@/lib/moderation/rules/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, single } from "@/lib/platform/http/fields";

export const tryRulesContract = endpoint({
  id: "portal.rules.try",
  method: "POST",
  path: "/portal/api/v1/rules/try",
  tag: "Portal",
  summary: "Test the moderation rules on a text without storing it",
  description: "Rules that compare with other submissions (duplicates, bursts) find nothing here.",
  auth: "session",
  scope: "read",
  role: "viewer",
  query: z.object({ client_id: clientId }),
  body: RuleTestInput,
  response: single(RuleTestResult),
});
