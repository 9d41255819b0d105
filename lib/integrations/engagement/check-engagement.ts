import { buildCheck } from "@/lib/integrations/build-check";
import {
  createEngagementClient,
  type EngagementClient,
  errorOf,
  isNotFound,
  isSuccess,
  pathSegment,
} from "@/lib/integrations/engagement/client";
import { findSchemaIssues } from "@/lib/integrations/engagement/interaction-schema";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import type { Notice } from "@/lib/platform/issue";

/** Tests a client's engagement platform: reachability, API key, and whether reviews fit its schema. */
export async function checkEngagement(
  integration: IntegrationWithSecrets<"engagement">,
  network?: GuardedRequest["network"],
): Promise<Check[]> {
  const ask = createEngagementClient(integration, { network });
  const connection = await runCheck("Connection", () => checkConnection(ask));
  if (!connection.ok) return [connection];
  return [connection, await runCheck("Interaction schema", () => checkSchema(ask, integration.settings.schema_id))];
}

type CheckResult = { ok: boolean; notices: Notice[] };

async function checkConnection(ask: EngagementClient): Promise<CheckResult> {
  const answer = await ask("GET", "/contacts/count");
  if (!isSuccess(answer)) return { ok: false, notices: [errorOf(answer)] };
  return { ok: true, notices: [{ reason: "engagement_reached" }] };
}

async function checkSchema(ask: EngagementClient, id: string): Promise<CheckResult> {
  const params = { id };
  const answer = await ask("GET", `/interactionschemas/${pathSegment(id)}`);
  if (isNotFound(answer)) return { ok: true, notices: [{ reason: "engagement_schema_new", params }] };
  if (!isSuccess(answer)) return { ok: false, notices: [errorOf(answer)] };
  const issues = findSchemaIssues(answer.body);
  if (issues.length === 0) return { ok: true, notices: [{ reason: "engagement_schema_fits", params }] };
  return { ok: false, notices: [{ reason: "engagement_schema_foreign", params }, ...issues] };
}

async function runCheck(name: string, check: () => Promise<CheckResult>): Promise<Check> {
  try {
    const { ok, notices } = await check();
    return buildCheck(name, ok, ...notices);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return buildCheck(name, false, ...error.issues);
  }
}
