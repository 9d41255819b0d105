import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { optOutLink } from "@/lib/invitations/links";
import { isSuppressed } from "@/lib/invitations/suppress-address";
import { transaction } from "@/lib/platform/db/pool";
import { receiptToken, receiptUrl } from "@/lib/platform/http/honesty-page";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { emailText, publicText } from "@/lib/platform/i18n/public-texts";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { safeUrl } from "@/lib/platform/mail/branding";
import { type NewMail, queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { secondsUntilNextMail } from "@/lib/platform/mail/unverified-limit";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { createAuthorPageLink } from "@/lib/reviews/author-page/link";
import { type AnsweredQuestion, markAnswerMailed, selectAnswered } from "./answer-sql";

/** `later`: the address has reached its limit of emails; retry in so many seconds. */
export type MailAnswerResult = { state: "mailed" | "not_due" | "suppressed" } | { state: "later"; seconds: number };

/**
 * Emails the store's first published answer to the question's author if they wanted it, once per question, in the
 * question's language. Due while question and answer are both accepted and the address isn't awaiting verification.
 * Emails to unverified addresses contain no visitor text and are limited; suppressed addresses get none.
 * Email, mark and outbox event commit together under the question's lock: safe to repeat, to run concurrently, and to
 * crash.
 */
export function mailAnswer(clientId: string, questionId: string): Promise<MailAnswerResult> {
  return transaction(async (db): Promise<MailAnswerResult> => {
    const client = await readClient(db, clientId);
    const candidate = client && (await selectAnswered(db, clientId, questionId));
    if (!candidate) return { state: "not_due" };
    // Locks the address before the question, as verification does.
    const seconds = candidate.verified_email ? 0 : await secondsUntilNextMail(db, clientId, candidate.email_key);
    const question = await selectAnswered(db, clientId, questionId, { lock: true });
    if (!question || question.email_key !== candidate.email_key) return { state: "not_due" };
    const emailHash = personHash(clientId, "email", question.email_key);
    if (await isSuppressed(db, clientId, emailHash)) return { state: "suppressed" };
    if (!question.verified_email && seconds > 0) return { state: "later", seconds };
    const mailId = await queueMail(
      mailOf(client, questionId, question, emailHash, await createAuthorPageLink(db, clientId, question.author_email)),
      db,
    );
    await markAnswerMailed(db, clientId, question.answer_id);
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
    return { state: "mailed" };
  });
}

function mailOf(
  client: ClientRow,
  questionId: string,
  question: AnsweredQuestion,
  emailHash: string,
  authorPageUrl: string,
): NewMail {
  const language: Language = languageOf(question.lang, client.locale);
  const t = emailText(language);
  // Catalog names come from the store, unlike names and URLs submitted with the question.
  const product = question.catalogue_name ?? (question.verified_email ? question.product_name : null);
  const variables = { shop: client.display_name, product: product ?? "" };
  const page = safeUrl(question.catalogue_url ?? (question.verified_email ? question.product_url : null));
  const optOutUrl = optOutLink(client.id, emailHash);
  const questionBlock = {
    label: t("answer.asked"),
    lines: [question.question, question.details].filter((text) => text !== ""),
  };
  const answer = { label: t("answer.answered", { author: question.answer_author }), lines: [question.answer] };
  return {
    idempotencyKey: `answer:${client.id}:${questionId}`,
    clientId: client.id,
    kind: "answer",
    to: question.author_email,
    ...senderOf(client),
    ...renderMessage(client, {
      language,
      subject: product ? t("answer.subjectProduct", variables) : t("answer.subject", variables),
      preheader: t("answer.preheader"),
      heading: t("answer.heading"),
      lines: [product ? t("answer.lineProduct", variables) : t("answer.line", variables)],
      blocks: question.verified_email ? [questionBlock, answer] : [answer],
      button: page ? { label: t("answer.button"), url: page } : null,
      note: null,
      why: t("answer.why", variables),
      opt_out: { question: t("email.optOut"), label: t("email.optOutLink"), url: optOutUrl },
      more: [
        { label: publicText(language)("authorPage.link"), url: authorPageUrl },
        ...(question.salt
          ? [
              {
                label: publicText(language)("receipt.link"),
                url: receiptUrl(client.id, receiptToken("question", questionId, question.salt), language),
              },
            ]
          : []),
      ],
    }),
    headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };
}
