import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { purgeOf } from "@/lib/platform/db/purge";

/** Webhooks that something is due for now, of these clients or of all. */
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
 * Removes deliveries that are older than thirty days, told or not, but for mails that still wait to be handed over: they are
 * judged anew when they can be told. Answers how many went.
 */
export const purgeWebhookDeliveries = purgeOf("webhook_deliveries", {
  key: "client_id, id",
  timeColumn: "created_at",
  maxAge: "30 days",
  where: `not (state = 'pending' and event = '${DELEGATED_EVENT}')`,
});
