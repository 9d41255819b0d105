import { type EngagementClient, isNotFound, isSuccess, pathSegment } from "@/lib/integrations/engagement/client";
import { DeliveryError, toDeliveryError } from "@/lib/integrations/engagement/delivery-error";
import { findSchemaIssues, interactionSchema } from "@/lib/integrations/engagement/interaction-schema";
import { mergeState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";

type Integration = Pick<IntegrationWithSecrets<"engagement">, "clientId" | "settings" | "state">;

const schemaKey = ({ settings }: Integration): string => `${settings.base_url} ${settings.schema_id}`;

/**
 * Makes the schema that reviews are posted under where the platform has none, and holds one that is there against ours.
 * It is never changed or deleted: all its interactions would go with it. Remembered once it fits. Throws {@link DeliveryError}.
 */
export async function ensureSchema(integration: Integration, ask: EngagementClient): Promise<void> {
  if (integration.state.schema === schemaKey(integration)) return;
  const id = integration.settings.schema_id;
  const path = `/interactionschemas/${pathSegment(id)}`;
  let found = await ask("GET", path);
  if (isNotFound(found)) {
    const created = await ask("POST", "/interactionschemas", interactionSchema(id));
    // Somebody may have made it meanwhile, or an earlier attempt whose answer was lost: what is there decides.
    found = await ask("GET", path);
    if (!isSuccess(found)) throw toDeliveryError(isSuccess(created) ? found : created);
  }
  if (!isSuccess(found)) throw toDeliveryError(found);
  const issues = findSchemaIssues(found.body);
  if (issues.length > 0)
    throw new DeliveryError("schema_differs", [{ reason: "engagement_schema_unfit", params: { id } }, ...issues], true);
  await mergeState(integration.clientId, "engagement", {
    schema: schemaKey(integration),
  });
  integration.state.schema = schemaKey(integration);
}

/** The schema is looked at again before the next review. */
export async function clearSchemaCache(integration: Integration): Promise<void> {
  await mergeState(integration.clientId, "engagement", { schema: null });
  delete integration.state.schema;
}
