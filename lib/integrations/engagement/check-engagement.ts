import {
  type Engagement,
  engagementOf,
  isDone,
  isMissing,
  part,
  refusalOf,
} from "@/lib/integrations/engagement/client";
import { misfits } from "@/lib/integrations/engagement/interaction-schema";
import type { Opened } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";

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

async function reach(ask: Engagement): Promise<Omit<Check, "name">> {
  const answer = await ask("GET", "/contacts/count");
  if (!isDone(answer)) return { ok: false, message: refusalOf(answer) };
  return { ok: true, message: "The platform answers and takes the key." };
}

async function schema(ask: Engagement, id: string): Promise<Omit<Check, "name">> {
  const answer = await ask("GET", `/interactionschemas/${part(id)}`);
  if (isMissing(answer))
    return {
      ok: true,
      message: `There is no schema ${id} yet. It is made with the first review.`,
    };
  if (!isDone(answer)) return { ok: false, message: refusalOf(answer) };
  const faults = misfits(answer.body);
  if (faults.length === 0) return { ok: true, message: `Reviews fit the schema ${id}.` };
  return {
    ok: false,
    message: `The platform has a schema ${id} of somebody else’s: ${faults.join("; ")}. Choose another id here; the schema there is left alone.`,
  };
}

async function checked(name: string, check: () => Promise<Omit<Check, "name">>): Promise<Check> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { name, ok: false, message: error.message };
  }
}
