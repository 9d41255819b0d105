import { serviceSender } from "@/lib/accounts/service-sender";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { formatMoment } from "@/lib/platform/i18n/format";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";

const texts = {
  password: { subject: "accountNotice.passwordSubject", line: "accountNotice.password" },
  second_factor_on: { subject: "accountNotice.twoFactorOnSubject", line: "accountNotice.twoFactorOn" },
  second_factor_off: { subject: "accountNotice.twoFactorOffSubject", line: "accountNotice.twoFactorOff" },
  address: { subject: "accountNotice.addressSubject", line: "accountNotice.address" },
} as const;
/** What was changed about a login. */
export type AccountNotice = keyof typeof texts;

/**
 * Emails a person about a change of their login, in the transaction that makes it. Without an address nothing is sent.
 * `oldEmail`: the address until now, which is notified, too. If the address changed, neither email offers a password
 * reset: the link would go to the new address, which may be a thief's or mistyped. The former address learns who can
 * help.
 */
export async function mailNotice(
  db: Db,
  userId: string,
  notice: AccountNotice,
  { oldEmail = null }: { oldEmail?: string | null } = {},
): Promise<void> {
  const { rows } = await db.query<{ username: string; email: string | null; locale: string | null }>(
    `select username, email, ${personLocale} as locale from users u where id = $1`,
    [userId],
  );
  const person = rows[0];
  if (!person) return;
  const language = languageOf(person.locale);
  const t = emailText(language);
  const host = new URL(env().PUBLIC_URL).host;
  const moment = formatMoment(now(), "UTC", language);
  const subject = t(texts[notice].subject);
  const line = t(texts[notice].line, { host, address: person.email ?? "" });
  for (const to of new Set([oldEmail, person.email])) {
    if (to === null) continue;
    const mailId = await queueMail(
      {
        idempotencyKey: `notice:${newId("ntc")}`,
        clientId: null,
        kind: "notice",
        to,
        ...senderOf(serviceSender),
        ...renderMessage(serviceSender, {
          language,
          subject,
          preheader: line,
          heading: subject,
          lines: [
            line,
            t("accountNotice.username", { username: person.username }),
            t("accountNotice.when", { moment }),
          ],
          button:
            notice === "address"
              ? null
              : { label: t("accountNotice.button"), url: `${env().PUBLIC_URL}/portal/forgot` },
          note:
            notice !== "address"
              ? t("accountNotice.notYou")
              : to === oldEmail
                ? t("accountNotice.notYouFormer", { host })
                : t("accountNotice.notYouNew"),
          why: t("accountNotice.why", { host }),
          opt_out: null,
        }),
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId } }]);
  }
}

/** The language of emails to person `u`: their own setting, else that of a store they work for. */
export const personLocale = `coalesce(u.locale, (select c.locale from clients c
    where (u.all_clients and c.account_id = u.account_id)
       or c.id in (select client_id from user_clients uc where uc.user_id = u.id)
    order by c.created_at, c.id limit 1))`;
