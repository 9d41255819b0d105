import { readClient } from "@/lib/accounts/stores/get-client";
import { optOutLink } from "@/lib/invitations/links";
import { isUndeliverable } from "@/lib/invitations/suppress-address";
import { transaction } from "@/lib/platform/db/pool";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { secondsUntilNextMail } from "@/lib/platform/mail/unverified-limit";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import { createAuthorPageLink } from "@/lib/reviews/author-page/link";
import { selectAuthor } from "./sql";

/**
 * Emails a link to the author's page, if the store has something with this address. Sends none if an email went there
 * within the last hour, since anyone can enter an address, or if the address bounced or complained. People who
 * unsubscribed get it, since they ask for it. Never tell the caller what happened: it would tell who wrote to the store.
 */
export async function mailAuthorLink(clientId: string, address: string): Promise<void> {
  await transaction(async (db) => {
    const client = await readClient(db, clientId);
    const key = emailKey(address);
    if (!client || !(await selectAuthor(db, clientId, key))) return;
    if ((await secondsUntilNextMail(db, clientId, key)) > 0) return;
    const author = await selectAuthor(db, clientId, key); // may have been erased meanwhile
    const hash = personHash(clientId, "email", key);
    if (!author || (await isUndeliverable(db, clientId, hash))) return;
    const language = languageOf(author.lang, client.locale);
    const t = emailText(language);
    const variables = { shop: client.display_name };
    const optOutUrl = optOutLink(clientId, hash);
    const mailId = await queueMail(
      {
        idempotencyKey: `author-link:${newId("link")}`,
        clientId,
        kind: "author_link",
        to: author.author_email,
        ...senderOf(client),
        ...renderMessage(client, {
          language,
          subject: t("authorLink.subject", variables),
          preheader: t("authorLink.preheader"),
          heading: t("authorLink.heading"),
          lines: [t("authorLink.line", variables)],
          button: { label: t("authorLink.button"), url: await createAuthorPageLink(db, clientId, key) },
          note: t("authorLink.note"),
          why: t("authorLink.why", variables),
          opt_out: { question: t("email.optOut"), label: t("email.optOutLink"), url: optOutUrl },
        }),
        headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
  });
}
