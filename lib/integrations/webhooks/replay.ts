import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { lockedDeliveryIdsSql, lockWebhook } from "@/lib/integrations/webhooks/rows";
import type { ReplayInput } from "@/lib/integrations/webhooks/schema";
import { failedCondition, TEST_EVENT } from "@/lib/integrations/webhooks/values";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

/** Maximum events per call. */
const MAX_EVENTS = 20_000;

/**
 * Resends events of the last thirty days with their ids, so that receivers can skip known ones: one event, a time range
 * without withdrawn invitations, or all that were given up. Pending events are unaffected. Throws `not_found`, and
 * `conflict` for more than 20,000.
 */
export async function replayDeliveries(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  id: string,
  { delivery_id, from, to, failed }: ReplayInput,
): Promise<{ replayed: number }> {
  const replayed = await transaction(async (db) => {
    await lockWebhook(client.id, id, db);
    const parameters = delivery_id !== undefined ? [delivery_id] : failed ? [] : [from, to ?? now()];
    const selectionSql =
      delivery_id !== undefined
        ? "id = $3"
        : failed
          ? failedCondition
          : "state <> 'withdrawn' and happened_at between $3 and $4";
    const conditionSql = `state <> 'pending' and event <> '${TEST_EVENT}' and ${selectionSql}`;
    // Counted before updating: an update of a month's events could exceed the statement timeout and block the webhook
    // meanwhile.
    const { rows: found } = await db.query<{ id: number }>(
      `select id from webhook_deliveries where client_id = $1 and webhook_id = $2 and ${conditionSql} limit ${MAX_EVENTS + 1}`,
      [client.id, id, ...parameters],
    );
    if (found.length > MAX_EVENTS) throw new AppError("conflict", { reason: "too_many_to_replay" });
    const { rows } = await db.query<{ id: number }>(
      `update webhook_deliveries set state = 'pending', attempts = 0, due_at = $4, status = null, error = null
        where client_id = $1 and id = any(${lockedDeliveryIdsSql("id = any($3) and state <> 'pending'")})
       returning id`,
      [client.id, id, found.map((one) => one.id), now()],
    );
    if (delivery_id !== undefined && rows.length === 0) {
      const known = await db.query(
        "select from webhook_deliveries where client_id = $1 and webhook_id = $2 and id = $3",
        [client.id, id, delivery_id],
      );
      if (known.rowCount === 0) throw new AppError("not_found", { reason: "delivery_not_found" });
    }
    if (rows.length > 0) {
      await enqueue(db, [{ name: "webhook/due", data: { client_id: client.id, webhook_id: id } }]);
      const detail = { replayed: rows.length };
      await recordAudit(db, { clientId: client.id, actor, action: "webhook.replayed", subject: id, detail });
    }
    return rows.length;
  });
  wakeRelay();
  return { replayed };
}
