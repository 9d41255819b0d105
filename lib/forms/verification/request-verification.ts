import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { hashLinkSecret, LINK_DAYS, verificationLink } from "@/lib/forms/verification/links";
import { optOutLink } from "@/lib/invitations/links";
import { isSuppressed } from "@/lib/invitations/suppress-address";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { honestyPageUrl, receiptToken, receiptUrl } from "@/lib/platform/http/honesty-page";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText, publicText } from "@/lib/platform/i18n/public-texts";
import { newToken } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { secondsUntilNextMail } from "@/lib/platform/mail/unverified-limit";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { createAuthorPageLink } from "@/lib/reviews/author-page/link";
import { type DueItem, insertLink, markMailed, selectDue, type VerifiedKind } from "./sql";

const DAY_MS = 86_400_000;

/** `later`: the address reached its email limit; retry after `seconds`. */
export type VerificationRequestResult =
  | { state: "mailed" | "not_due" | "suppressed" }
  | { state: "later"; seconds: number };

/**
 * Emails the author of a review or question a link to confirm their address, if the client requires it. The link works
 * for 30 days and shows all unverified items of the address, so one email covers all of them. The email quotes nothing
 * of the submission. Skips suppressed addresses and limits emails per address. Idempotent and safe to run
 * concurrently.
 */
export function requestVerification(
  clientId: string,
  kind: VerifiedKind,
  id: string,
): Promise<VerificationRequestResult> {
  return transaction(async (db): Promise<VerificationRequestResult> => {
    const client = await readClient(db, clientId);
    const unlockedItem = client?.require_verification ? await selectDue(db, clientId, kind, id) : null;
    if (!client || !unlockedItem) return { state: "not_due" };
    if (await isSuppressed(db, clientId, personHash(clientId, "email", unlockedItem.email_key)))
      return { state: "suppressed" };
    const seconds = await secondsUntilNextMail(db, clientId, unlockedItem.email_key);
    // The address is locked now; an email sent in the meantime covers this item too. The item's row is locked as well,
    // so an erasure waits and then finds the link and the email.
    const item = await selectDue(db, clientId, kind, id, { hold: true });
    if (!item) return { state: "not_due" };
    if (seconds > 0) return { state: "later", seconds };
    const secret = newToken();
    const at = now();
    await insertLink(db, clientId, {
      hash: hashLinkSecret(secret),
      kind,
      subjectId: id,
      emailKey: item.email_key,
      at,
      expiresAt: new Date(at.getTime() + LINK_DAYS * DAY_MS),
    });
    await markMailed(db, clientId, item.email_key);
    const links = {
      confirm: verificationLink(clientId, secret),
      author: await createAuthorPageLink(db, clientId, item.author_email),
    };
    const mailId = await queueMail(mailOf(client, kind, id, item, links), db);
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
    return { state: "mailed" };
  });
}

function mailOf(
  client: ClientRow,
  kind: VerifiedKind,
  id: string,
  item: DueItem,
  links: { confirm: string; author: string },
) {
  const language = languageOf(item.lang, client.locale);
  const variables = { shop: client.display_name };
  const t = emailText(language);
  const optOutUrl = optOutLink(client.id, personHash(client.id, "email", item.email_key));
  return {
    idempotencyKey: `verification:${client.id}:${kind}:${id}`,
    clientId: client.id,
    kind: "verification",
    to: item.author_email,
    ...senderOf(client),
    ...renderMessage(client, {
      language,
      subject: t("verificationEmail.subject", variables),
      preheader: t("verificationEmail.preheader"),
      heading: t("verificationEmail.heading"),
      lines: [t("verificationEmail.line", variables)],
      button: { label: t("verificationEmail.button"), url: links.confirm },
      note: t("verificationEmail.note"),
      why: t("verificationEmail.why", variables),
      opt_out: { question: t("email.optOut"), label: t("email.optOutLink"), url: optOutUrl },
      more: [
        { label: publicText(language)("authorPage.link"), url: links.author },
        ...(item.salt
          ? [
              {
                label: publicText(language)("receipt.link"),
                url: receiptUrl(client.id, receiptToken(kind, id, item.salt), language),
              },
            ]
          : []),
        ...(kind === "review"
          ? [{ label: publicText(language)("honesty.link"), url: honestyPageUrl(client.id, language) }]
          : []),
      ],
    }),
    headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };
}
