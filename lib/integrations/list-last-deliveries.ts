import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { listDeliveries } from "@/lib/integrations/list-integrations";
import { requireIntegration } from "@/lib/integrations/rows";
import type { DeliveryLine } from "@/lib/integrations/schema";

/** The last deliveries of an integration, newest first, up to `limit`. Throws `not_found`. */
export async function listLastDeliveries(
  client: Pick<ClientRow, "id">,
  kind: string,
  { outcome, limit }: { outcome?: string; limit: number },
): Promise<DeliveryLine[]> {
  const { type } = await requireIntegration(client.id, kind);
  const lines: DeliveryLine[] = [];
  for (let after: string | undefined; lines.length < limit; ) {
    const { deliveries, next } = await listDeliveries(client, type, { after, outcome });
    lines.push(...deliveries);
    if (!next) break;
    after = next;
  }
  return lines.slice(0, limit);
}
