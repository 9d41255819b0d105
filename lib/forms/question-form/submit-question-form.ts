import { questionFormIssues, readQuestionForm } from "@/lib/forms/question-form/question-form";
import type { QuestionValues } from "@/lib/forms/question-form/schema";
import { isWithinRateLimit } from "@/lib/forms/rate-limit";
import type { FormState } from "@/lib/forms/schema";
import { openWebForm, type WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { AppError } from "@/lib/platform/errors";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { submitQuestion } from "@/lib/reviews/questions/submit-question";

/** What came of it: what is to be mended with all that was typed, or that it is stored and whether a mail will tell. */
export type QuestionOutcome = { state: NonNullable<FormState<QuestionValues>> } | { mailed: boolean };

/**
 * Takes the form by which a visitor asks about a product. The question becomes a pending one of somebody who is not
 * known; otherwise all issues are told at once, in the form's language, and nothing is stored. An address that is not
 * needed is not kept. `address` is the sender's. Throws `not_found` for a link without client or product, and where the
 * client takes no questions.
 */
export async function submitQuestionForm(
  link: WebFormLink,
  form: FormData,
  address: string | null,
): Promise<QuestionOutcome> {
  const open = await openWebForm(link);
  if (open.state !== "open" || !open.client.collect_questions)
    throw new AppError("not_found", { reason: "link_without_form" });
  const { client, language, subject } = open;
  const t = publicText(language);
  const values = readQuestionForm(form);
  if (!isWithinRateLimit(`${client.id}|${address ?? ""}`))
    return { state: { issues: [{ field: "send", message: t("form.errorBusy") }], values } };
  const needsEmail = client.require_verification || values.mail_answer;
  const issues = questionFormIssues(values, { needsEmail, mustAgree: client.must_agree_to_terms_web }, t);
  if (issues.length > 0) return { state: { issues, values } };
  await submitQuestion(client, {
    source: "web",
    productId: subject.productId,
    familyId: subject.familyId,
    productName: subject.name,
    productUrl: subject.url,
    author: values.author.trim(),
    authorEmail: needsEmail ? values.email.trim() : null,
    authorIp: address,
    question: values.question.trim(),
    details: values.details.trim(),
    mailAnswer: values.mail_answer,
    answers: {},
    images: [],
    lang: null,
    termsAgreed: client.must_agree_to_terms_web,
  });
  return { mailed: values.mail_answer };
}
