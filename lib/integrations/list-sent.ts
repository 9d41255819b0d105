import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { ownSources } from "@/lib/integrations/engagement/queue-review";
import { listDeliveriesOf } from "@/lib/integrations/list-integrations";
import { selectIntegration } from "@/lib/integrations/rows";
import type { SentDeliveries, sentKinds } from "@/lib/integrations/schema";
import { listDeliveriesBySubject } from "@/lib/integrations/webhooks/list-webhooks";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";

type Kind = (typeof sentKinds)[number];
type Item = { source: string | null; created_at: Date };

const items: Record<Kind, string> = {
  review: "select source, created_at from reviews where client_id = $1 and id = $2",
  seller_review: "select null as source, created_at from seller_reviews where client_id = $1 and id = $2",
  question: "select null as source, created_at from questions where client_id = $1 and id = $2",
};

/**
 * Deliveries of an item to other systems, with their responses; to the engagement platform only for reviews. Throws
 * `not_found`.
 */
export async function listSent(client: Pick<ClientRow, "id">, kind: Kind, id: string): Promise<SentDeliveries> {
  const [item] = (await pool().query<Item>(items[kind], [client.id, id])).rows;
  if (!item) throw new AppError("not_found", { reason: "item_not_found" });
  const [engagement, webhooks] = await Promise.all([
    kind === "review" ? engagementDeliveries(client, id, item) : null,
    listDeliveriesBySubject(client, id),
  ]);
  return { engagement, webhooks };
}

async function engagementDeliveries(
  client: Pick<ClientRow, "id">,
  id: string,
  item: Item,
): Promise<SentDeliveries["engagement"]> {
  const integration = await selectIntegration(client.id, "engagement");
  const deliveries = await listDeliveriesOf(client, "engagement", id);
  if (!integration && deliveries.length === 0) return null;
  if (deliveries.length > 0) return { deliveries, untold: null };
  const notSentReason = !ownSources.includes(item.source ?? "")
    ? "imported"
    : integration && item.created_at < integration.created_at
      ? "before_connection"
      : "about_to";
  return { deliveries, untold: notSentReason };
}
