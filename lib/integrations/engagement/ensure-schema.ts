import { type EngagementClient, isNotFound, isSuccess, pathSegment } from "@/lib/integrations/engagement/client";
import { DeliveryError, toDeliveryError } from "@/lib/integrations/engagement/delivery-error";
import { findSchemaIssues, interactionSchema } from "@/lib/integrations/engagement/interaction-schema";
import { mergeState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";

type Integration = Pick<IntegrationWithSecrets<"engagement">, "clientId" | "settings" | "state">;

const schemaKey = ({ settings }: Integration): string => `${settings.base_url} ${settings.schema_id}`;

/**
 * Creates the interaction schema if the platform has none, else checks that it fits. Never changes or deletes a schema,
 * since its interactions would be lost. A fitting schema is remembered. Throws {@link DeliveryError}.
 */
export async function ensureSchema(integration: Integration, ask: EngagementClient): Promise<void> {
  if (integration.state.schema === schemaKey(integration)) return;
  const id = integration.settings.schema_id;
  const path = `/interactionschemas/${pathSegment(id)}`;
  let found = await ask("GET", path);
  if (isNotFound(found)) {
    const created = await ask("POST", "/interactionschemas", interactionSchema(id));
    // It may have been created meanwhile, or by an attempt whose response was lost: use what exists.
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

/** Forces a check of the schema before the next review. */
export async function clearSchemaCache(integration: Integration): Promise<void> {
  await mergeState(integration.clientId, "engagement", { schema: null });
  delete integration.state.schema;
}
