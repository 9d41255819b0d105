import { readClient } from "@/lib/accounts/stores/get-client";
import { optOutLink } from "@/lib/invitations/links";
import { isSuppressed } from "@/lib/invitations/suppress-address";
import type { RejectionMailResult } from "@/lib/moderation/rejections/mail-rejection";
import { transaction } from "@/lib/platform/db/pool";
import { receiptToken, receiptUrl } from "@/lib/platform/http/honesty-page";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText, publicText } from "@/lib/platform/i18n/public-texts";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { createAuthorPageLink } from "@/lib/reviews/author-page/link";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { selectUpheldAppeal } from "./sql";

/**
 * Emails an author that their text was published after their appeal, once. Sends none if it isn't published any more,
 * or the address is suppressed. Idempotent and safe to run concurrently.
 */
export function mailUpheldAppeal(clientId: string, kind: ModeratedKind, id: string): Promise<RejectionMailResult> {
  return transaction(async (db): Promise<RejectionMailResult> => {
    const client = await readClient(db, clientId);
    const item = client && (await selectUpheldAppeal(db, clientId, kind, id));
    if (!item) return { state: "not_due" };
    const hash = personHash(clientId, "email", item.author_email);
    if (await isSuppressed(db, clientId, hash)) return { state: "suppressed" };
    const language = languageOf(item.lang, client.locale);
    const t = emailText(language);
    const variables = { kind, shop: client.display_name };
    const optOutUrl = optOutLink(clientId, hash);
    const page = await createAuthorPageLink(db, clientId, item.author_email);
    const receipt = item.salt && receiptUrl(clientId, receiptToken(kind, id, item.salt), language);
    const mailId = await queueMail(
      {
        idempotencyKey: `appeal:${clientId}:${kind}:${id}:${item.appeal}`,
        clientId,
        kind: "appeal",
        to: item.author_email,
        ...senderOf(client),
        ...renderMessage(client, {
          language,
          subject: t("appeal.publishedSubject", variables),
          preheader: t("appeal.published", variables),
          heading: t("appeal.publishedHeading"),
          lines: [t("appeal.published", variables)],
          button: { label: t("authorLink.button"), url: page },
          note: t("rejection.note"),
          why: t("rejection.why", variables),
          opt_out: { question: t("email.optOut"), label: t("email.optOutLink"), url: optOutUrl },
          more: receipt ? [{ label: publicText(language)("receipt.link"), url: receipt }] : [],
        }),
        headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
    return { state: "mailed" };
  });
}
