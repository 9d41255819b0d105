import type { PoolClient } from "pg";
import { readClient } from "@/lib/accounts/stores/get-client";
import type { WebhookRow } from "@/lib/integrations/webhooks/rows";
import { env } from "@/lib/platform/env";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { type EncodedNotices, toEnglish } from "@/lib/platform/notices";

type DisabledDetails = { reason: "gone" | "failing"; since: Date; moment: Date; error: EncodedNotices };

/**
 * Emails a client's admins that a webhook was disabled, in the same transaction. Uses the client's contact address if
 * no admin has an email.
 */
export async function mailDisabled(db: PoolClient, webhook: WebhookRow, details: DisabledDetails): Promise<void> {
  const client = await readClient(db, webhook.client_id);
  if (!client) return;
  const { rows } = await db.query<{ email: string }>(
    `select distinct u.email from users u
      where u.disabled_at is null and u.email is not null
        and ((u.role = 'admin' and u.all_clients and u.account_id = $2)
             or exists (select from user_clients c where c.user_id = u.id and c.client_id = $1
                         and coalesce(c.role, u.role) = 'admin'))
      order by u.email`,
    [client.id, client.account_id],
  );
  const admins = rows.map(({ email }) => email);
  const to = admins.length > 0 ? admins : client.contact_email ? [client.contact_email] : [];
  for (const address of to) {
    const mailId = await queueMail(
      {
        idempotencyKey: `webhook-disabled:${client.id}:${webhook.id}:${details.moment.toISOString()}:${address}`,
        clientId: client.id,
        kind: "webhook",
        to: address,
        ...senderOf(client),
        ...renderMessage(client, {
          language: "en",
          subject: `Webhook disabled for ${client.display_name}`,
          preheader: webhook.url,
          heading: "Webhook disabled",
          lines: [
            details.reason === "gone"
              ? "We disabled this webhook because the receiver responded that it’s permanently gone (status 410)."
              : "We disabled this webhook because all deliveries failed for 24 hours. New events are kept for 30 days.",
          ],
          blocks: [{ label: webhook.url, lines: [toEnglish(details.error)] }],
          after: ["Once the receiver works again, resume the webhook to deliver the pending events in order."],
          button: {
            label: "Open integrations",
            url: `${env().PUBLIC_URL}/portal/integrations?client_id=${encodeURIComponent(client.id)}`,
          },
          note: null,
          why: `You’re receiving this email because you’re an admin of ${client.display_name}.`,
          opt_out: null,
        }),
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: client.id } }]);
  }
}
