import { type ClientRow, readClient, storeNow } from "@/lib/accounts/stores/get-client";
import { editLink } from "@/lib/forms/edit/links";
import { optOutLink } from "@/lib/invitations/links";
import { isSuppressed } from "@/lib/invitations/suppress-address";
import { type RejectionMeans, reasonLines, statementLines } from "@/lib/moderation/rejections/statement";
import { transaction } from "@/lib/platform/db/pool";
import { honestyPageUrl, receiptToken, receiptUrl } from "@/lib/platform/http/honesty-page";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText, publicText } from "@/lib/platform/i18n/public-texts";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { type Message, renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { secondsUntilNextMail } from "@/lib/platform/mail/unverified-limit";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { createAuthorPageLink } from "@/lib/reviews/author-page/link";
import type { ModeratedKind, RejectReason } from "@/lib/reviews/decisions/schema";
import { type RejectedItem, selectRejected } from "./sql";

/** `later`: the address reached its email limit; retry after `seconds`. */
export type RejectionMailResult = { state: "mailed" | "not_due" | "suppressed" } | { state: "later"; seconds: number };

/**
 * Emails the author of a rejected review, seller review or question why it isn't published, with an edit link that
 * works for 30 days and a statement of reasons. One email per decision; it quotes nothing of the submission. Sends none if the item has been
 * decided again, is ignored, has no address or wasn't submitted through our forms, or the address is suppressed.
 * Unverified addresses have a limit. After an appeal, it is the outcome, which the author always gets; `onlyAppealed`
 * sends nothing else. Idempotent and safe to run concurrently.
 */
export function mailRejection(
  clientId: string,
  kind: ModeratedKind,
  id: string,
  { onlyAppealed = false }: { onlyAppealed?: boolean } = {},
): Promise<RejectionMailResult> {
  return transaction(async (db): Promise<RejectionMailResult> => {
    const client = await readClient(db, clientId);
    const item = client && (await selectRejected(db, clientId, kind, id));
    if (!item || (onlyAppealed && !item.appealed)) return { state: "not_due" };
    const hash = personHash(clientId, "email", item.author_email);
    if (await isSuppressed(db, clientId, hash)) return { state: "suppressed" };
    const idempotencyKey = `rejection:${clientId}:${kind}:${id}:${item.decision}`;
    // Who appealed used a link that was emailed to the address.
    if (!item.known && !item.has_appealed) {
      const seconds = await secondsUntilNextMail(db, clientId, item.author_email);
      if (seconds > 0) return { state: "later", seconds };
    }
    const optOutUrl = optOutLink(clientId, hash);
    const links = {
      edit: editLink(clientId, kind, id, item.author_email, storeNow(client)),
      stop: optOutUrl,
      author: await createAuthorPageLink(db, clientId, item.author_email),
      receipt:
        item.salt && receiptUrl(clientId, receiptToken(kind, id, item.salt), languageOf(item.lang, client.locale)),
    };
    const mailId = await queueMail(
      {
        idempotencyKey,
        clientId,
        kind: "rejection",
        to: item.author_email,
        ...senderOf(client),
        ...renderMessage(
          client,
          rejectionMessage(client, kind, { ...item, canAppeal: !item.has_appealed }, item.reason, links).message,
        ),
        headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
    return { state: "mailed" };
  });
}

const subjects = {
  review: "rejection.subjectReview",
  seller_review: "rejection.subjectSellerReview",
  question: "rejection.subjectQuestion",
} as const;

const buttons = {
  review: "rejection.editReview",
  seller_review: "rejection.editReview",
  question: "rejection.editQuestion",
} as const;

/** The email in the author's language, and the label above its reason. */
export function rejectionMessage(
  client: ClientRow,
  kind: ModeratedKind,
  item: Pick<RejectedItem, "lang" | "product" | "appealed"> & RejectionMeans,
  reason: RejectReason,
  links: { edit: string; stop: string; author?: string; receipt?: string | null },
): { message: Message; label: string } {
  const language = languageOf(item.lang, client.locale);
  const t = emailText(language);
  const variables = { kind, shop: client.display_name, product: item.product ?? "" };
  const message: Message = {
    language,
    subject: t(item.appealed ? "appeal.rejectedSubject" : subjects[kind], variables),
    preheader: t("rejection.preheader"),
    heading: t(item.appealed ? "appeal.rejectedHeading" : "rejection.heading"),
    lines: [
      t(item.appealed ? "appeal.rejected" : item.product ? "rejection.lineProduct" : "rejection.line", variables),
    ],
    blocks: [{ label: t("rejection.reason"), lines: reasonLines(client, language, reason) }],
    after: [t("rejection.fix"), ...statementLines(client, language, item)],
    button: { label: t(buttons[kind]), url: links.edit },
    note: t("rejection.note"),
    why: t("rejection.why", variables),
    opt_out: { question: t("email.optOut"), label: t("email.optOutLink"), url: links.stop },
    more: [
      ...(links.author ? [{ label: publicText(language)("authorPage.link"), url: links.author }] : []),
      ...(links.receipt ? [{ label: publicText(language)("receipt.link"), url: links.receipt }] : []),
      ...(kind === "question"
        ? []
        : [{ label: publicText(language)("honesty.link"), url: honestyPageUrl(client.id, language) }]),
    ],
  };
  return { message, label: t("rejection.reason") };
}
