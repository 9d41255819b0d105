import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";

/** Webhooks with due deliveries, of these clients or all. */
export async function listDueWebhooks(
  clientIds: string[] | null,
): Promise<{ client_id: string; webhook_id: string }[]> {
  const { rows } = await pool().query<{ client_id: string; webhook_id: string }>(
    `select client_id, id as webhook_id from webhooks w
      where paused_at is null and disabled_at is null and (next_try_at is null or next_try_at <= $1)
        and ($2::text[] is null or client_id = any($2))
        and exists (select from webhook_deliveries d
                     where d.client_id = w.client_id and d.webhook_id = w.id and d.state = 'pending' and d.due_at <= $1)
      order by client_id, id limit 5000`,
    [now(), clientIds],
  );
  return rows;
}

/**
 * Deletes deliveries older than thirty days, in any state but pending invitations for an external sender, which are
 * checked again before they are sent. Returns the number of deleted rows.
 */
export const purgeWebhookDeliveries = createPurge("webhook_deliveries", {
  key: "client_id, id",
  timeColumn: "created_at",
  maxAge: "30 days",
  where: `not (state = 'pending' and event = '${DELEGATED_EVENT}')`,
});
