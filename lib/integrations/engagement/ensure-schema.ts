import { type Engagement, isDone, isMissing, part } from "@/lib/integrations/engagement/client";
import { DeliveryError, faultOf } from "@/lib/integrations/engagement/delivery-error";
import { interactionSchema, misfits } from "@/lib/integrations/engagement/interaction-schema";
import { rememberState } from "@/lib/integrations/record-run";
import type { Opened } from "@/lib/integrations/rows";

type Integration = Pick<Opened<"engagement">, "clientId" | "settings" | "state">;

const placeOf = ({ settings }: Integration): string => `${settings.base_url} ${settings.schema_id}`;

/**
 * Makes the schema that reviews are posted under where the platform has none, and holds one that is there against ours.
 * It is never changed or deleted: all its interactions would go with it. Remembered once it fits. Throws {@link DeliveryError}.
 */
export async function ensureSchema(integration: Integration, ask: Engagement): Promise<void> {
  if (integration.state.schema === placeOf(integration)) return;
  const id = integration.settings.schema_id;
  const path = `/interactionschemas/${part(id)}`;
  let found = await ask("GET", path);
  if (isMissing(found)) {
    const made = await ask("POST", "/interactionschemas", interactionSchema(id));
    // Somebody may have made it meanwhile, or an earlier attempt whose answer was lost: what is there decides.
    found = await ask("GET", path);
    if (!isDone(found)) throw faultOf(isDone(made) ? found : made);
  }
  if (!isDone(found)) throw faultOf(found);
  const faults = misfits(found.body);
  if (faults.length > 0)
    throw new DeliveryError("schema_differs", [{ reason: "engagement_schema_unfit", params: { id } }, ...faults], true);
  await rememberState(integration.clientId, "engagement", {
    schema: placeOf(integration),
  });
  integration.state.schema = placeOf(integration);
}

/** The schema is looked at again before the next review. */
export async function forgetSchema(integration: Integration): Promise<void> {
  await rememberState(integration.clientId, "engagement", { schema: null });
  delete integration.state.schema;
}
