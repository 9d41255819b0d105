import type { ClientRow } from "@/lib/clients/get-client";
import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import type { GuardedRequest } from "@/lib/http/guarded-fetch";
import { newId } from "@/lib/ids";
import { selectWebhook } from "@/lib/webhooks/rows";
import type { Tried } from "@/lib/webhooks/schema";
import { sendMessage } from "@/lib/webhooks/send-message";
import { TEST_EVENT } from "@/lib/webhooks/values";

/**
 * Sends a webhook a test event now, whatever waits, also while it is paused or disabled: it stands in the log and changes
 * nothing else. Throws `not_found`.
 */
export async function testWebhook(
  client: Pick<ClientRow, "id">,
  id: string,
  network?: GuardedRequest["network"],
): Promise<Tried> {
  const webhook = await selectWebhook(client.id, id);
  if (!webhook) throw new AppError("not_found", "There is no such webhook.");
  const message = { message_id: newId("msg"), event: TEST_EVENT, data: {}, happened_at: now() };
  const { outcome, attempt } = await sendMessage(webhook, message, network);
  const error = outcome.ok ? null : outcome.error;
  // The webhook may be gone meanwhile, and then there is no log to write to.
  await pool().query(
    `insert into webhook_deliveries
       (client_id, webhook_id, message_id, event, subject, data, happened_at, state, attempts, due_at, tried_at, status, error,
        attempt_log)
     select client_id, id, $3, $4, id, '{}', $5, $6, 1, $5, $5, $7, $8, $9 from webhooks where client_id = $1 and id = $2`,
    [
      ...[client.id, id, message.message_id, TEST_EVENT, message.happened_at],
      ...[outcome.ok ? "sent" : "failed", outcome.status, error],
      JSON.stringify(attempt ? [attempt] : []),
    ],
  );
  return {
    ok: outcome.ok,
    status: outcome.status,
    message: error ?? `The receiver took the test event (status ${outcome.status}).`,
  };
}
