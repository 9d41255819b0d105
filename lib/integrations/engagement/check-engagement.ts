import { checkOf } from "@/lib/integrations/check-of";
import { type Engagement, engagementOf, errorOf, isDone, isMissing, part } from "@/lib/integrations/engagement/client";
import { misfits } from "@/lib/integrations/engagement/interaction-schema";
import type { Opened } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import type { Notice } from "@/lib/platform/issue";

/** Tries a client's engagement platform: whether it is reached, takes the key, and has a schema that reviews fit. */
export async function checkEngagement(
  integration: Opened<"engagement">,
  network?: GuardedRequest["network"],
): Promise<Check[]> {
  const ask = engagementOf(integration, { network });
  const connection = await checked("Connection", () => reach(ask));
  if (!connection.ok) return [connection];
  return [connection, await checked("Interaction schema", () => schema(ask, integration.settings.schema_id))];
}

type Found = { ok: boolean; notices: Notice[] };

async function reach(ask: Engagement): Promise<Found> {
  const answer = await ask("GET", "/contacts/count");
  if (!isDone(answer)) return { ok: false, notices: [errorOf(answer)] };
  return { ok: true, notices: [{ reason: "engagement_reached" }] };
}

async function schema(ask: Engagement, id: string): Promise<Found> {
  const params = { id };
  const answer = await ask("GET", `/interactionschemas/${part(id)}`);
  if (isMissing(answer)) return { ok: true, notices: [{ reason: "engagement_schema_new", params }] };
  if (!isDone(answer)) return { ok: false, notices: [errorOf(answer)] };
  const faults = misfits(answer.body);
  if (faults.length === 0) return { ok: true, notices: [{ reason: "engagement_schema_fits", params }] };
  return { ok: false, notices: [{ reason: "engagement_schema_foreign", params }, ...faults] };
}

async function checked(name: string, check: () => Promise<Found>): Promise<Check> {
  try {
    const { ok, notices } = await check();
    return checkOf(name, ok, ...notices);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return checkOf(name, false, ...error.issues);
  }
}
