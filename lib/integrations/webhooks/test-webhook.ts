import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { selectWebhook } from "@/lib/integrations/webhooks/rows";
import type { TestResult } from "@/lib/integrations/webhooks/schema";
import { sendMessage } from "@/lib/integrations/webhooks/send-message";
import { TEST_EVENT } from "@/lib/integrations/webhooks/values";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { newId } from "@/lib/platform/ids";
import { encodeNotices, withNotices } from "@/lib/platform/notices";

/**
 * Sends a test event immediately, even if the webhook is paused or disabled. It's logged and changes nothing else.
 * Throws `not_found`.
 */
export async function testWebhook(
  client: Pick<ClientRow, "id">,
  id: string,
  network?: GuardedRequest["network"],
): Promise<TestResult> {
  const webhook = await selectWebhook(client.id, id);
  if (!webhook) throw new AppError("not_found", { reason: "webhook_not_found" });
  const message = { message_id: newId("msg"), event: TEST_EVENT, data: {}, happened_at: now() };
  const { outcome, attempt } = await sendMessage(webhook, message, network);
  const error = outcome.ok ? null : outcome.error;
  // If the webhook was deleted meanwhile, there is no log to write to.
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
  const notice = error ?? encodeNotices({ reason: "test_event_taken", params: { status: outcome.status ?? 200 } });
  return withNotices({ ok: outcome.ok, status: outcome.status, message: notice }, "message");
}
