import type { WebhookEvent } from "@/lib/integrations/webhooks/values";
import type { Db } from "@/lib/platform/db/pool";

/** Whether a webhook of the client that is neither paused nor disabled subscribes to an event. */
export async function hasSubscriber(db: Db, clientId: string, event: WebhookEvent): Promise<boolean> {
  const { rows } = await db.query(
    "select from webhooks where client_id = $1 and $2 = any(events) and paused_at is null and disabled_at is null limit 1",
    [clientId, event],
  );
  return rows.length > 0;
}

/** Whether an event about a subject awaits delivery. */
export async function hasPendingDelivery(
  db: Db,
  clientId: string,
  event: WebhookEvent,
  subject: string,
): Promise<boolean> {
  const { rows } = await db.query(
    "select from webhook_deliveries where client_id = $1 and subject = $2 and event = $3 and state = 'pending' limit 1",
    [clientId, subject, event],
  );
  return rows.length > 0;
}
