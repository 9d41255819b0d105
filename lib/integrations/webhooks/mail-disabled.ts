import type { PoolClient } from "pg";
import { personLocale } from "@/lib/accounts/mail-notice";
import { readClient } from "@/lib/accounts/stores/get-client";
import type { WebhookRow } from "@/lib/integrations/webhooks/rows";
import { env } from "@/lib/platform/env";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { translateNotices } from "@/lib/platform/i18n/translate-errors";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { type EncodedNotices, toPublicNotices } from "@/lib/platform/notices";

type DisabledDetails = { reason: "gone" | "failing"; since: Date; moment: Date; error: EncodedNotices };

/**
 * Emails a client's admins that a webhook was disabled, each in their language, in the same transaction. Uses the
 * client's contact address if no admin has an email.
 */
export async function mailDisabled(db: PoolClient, webhook: WebhookRow, details: DisabledDetails): Promise<void> {
  const client = await readClient(db, webhook.client_id);
  if (!client) return;
  const { rows: admins } = await db.query<{ email: string; locale: string | null }>(
    `select distinct on (u.email) u.email, ${personLocale} as locale from users u
      where u.disabled_at is null and u.email is not null
        and ((u.role = 'admin' and u.all_clients and u.account_id = $2)
             or exists (select from user_clients c where c.user_id = u.id and c.client_id = $1
                         and coalesce(c.role, u.role) = 'admin'))
      order by u.email, u.id`,
    [client.id, client.account_id],
  );
  const contact = client.contact_email ? [{ email: client.contact_email, locale: client.locale }] : [];
  const shop = client.display_name;
  for (const { email, locale } of admins.length > 0 ? admins : contact) {
    const language = languageOf(locale, client.locale);
    const t = emailText(language);
    const translate = await translateNotices(language);
    const mailId = await queueMail(
      {
        idempotencyKey: `webhook-disabled:${client.id}:${webhook.id}:${details.moment.toISOString()}:${email}`,
        clientId: client.id,
        kind: "webhook",
        to: email,
        ...senderOf(client),
        ...renderMessage(client, {
          language,
          subject: t("webhookDisabled.subject", { shop }),
          preheader: webhook.url,
          heading: t("webhookDisabled.heading"),
          lines: [t(details.reason === "gone" ? "webhookDisabled.gone" : "webhookDisabled.failing")],
          blocks: [{ label: webhook.url, lines: [translate(toPublicNotices(details.error))] }],
          after: [t("webhookDisabled.resume")],
          button: {
            label: t("webhookDisabled.button"),
            url: `${env().PUBLIC_URL}/portal/integrations?client_id=${encodeURIComponent(client.id)}`,
          },
          note: null,
          isForTeam: true,
          why: t(admins.length > 0 ? "webhookDisabled.why" : "webhookDisabled.whyContact", { shop }),
          opt_out: null,
        }),
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: client.id } }]);
  }
}
