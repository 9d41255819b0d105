import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { canRetryOrder, retryOrders } from "@/lib/integrations/commerce/retry-orders";
import { isRetryable, retryEngagementDeliveries } from "@/lib/integrations/engagement/retry-engagement";
import type { KindName } from "@/lib/integrations/kinds";
import { lockIntegration } from "@/lib/integrations/rows";
import type { DeliveryLine } from "@/lib/integrations/schema";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type RetryHandler = {
  /** whether a delivery can be retried */
  canRetry: (delivery: Pick<DeliveryLine, "kind" | "outcome" | "reason">) => boolean;
  /** retries it, or all failed ones if `id` is null */
  retry: (db: Db, clientId: string, id: string | null) => Promise<number>;
};

/** Retries by kind; other kinds have nothing to retry. */
const retryHandlers: Partial<Record<KindName, RetryHandler>> = {
  engagement: { canRetry: isRetryable, retry: retryEngagementDeliveries },
  commerce: { canRetry: canRetryOrder, retry: retryOrders },
};

export const canRetryDelivery = (kind: string, delivery: Pick<DeliveryLine, "kind" | "outcome" | "reason">): boolean =>
  retryHandlers[kind as KindName]?.canRetry(delivery) ?? false;

/**
 * Retries one delivery of an integration, or all failed ones. While the integration is paused, retries wait, except
 * erasures in the engagement platform. Throws `not_found`, and `conflict` if the delivery is pending or done.
 */
export async function retryDeliveries(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: string,
  id: string | null,
): Promise<{ retried: number }> {
  const retried = await transaction(async (db) => {
    const { type } = await lockIntegration(client.id, kind, db);
    if (id !== null) {
      const text = "select kind, outcome, reason from deliveries where client_id = $1 and type = $2 and id = $3";
      const [known] = (await db.query<Pick<DeliveryLine, "kind" | "outcome" | "reason">>(text, [client.id, type, id]))
        .rows;
      if (!known) throw new AppError("not_found", { reason: "delivery_not_found" });
      if (!canRetryDelivery(type, known)) throw new AppError("conflict", { reason: "delivery_not_retryable" });
    }
    const count = (await retryHandlers[type]?.retry(db, client.id, id)) ?? 0;
    if (count > 0) {
      const entry = { clientId: client.id, actor, subject: type, detail: { retried: count } };
      await recordAudit(db, { ...entry, action: "integration.retried" });
    }
    return count;
  });
  wakeRelay();
  return { retried };
}
