import { questionFormIssues, readQuestionForm } from "@/lib/forms/question-form/question-form";
import type { QuestionValues } from "@/lib/forms/question-form/schema";
import { isWithinRateLimit } from "@/lib/forms/rate-limit";
import type { FormState } from "@/lib/forms/schema";
import { openWebForm, type WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { AppError } from "@/lib/platform/errors";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { submitQuestion } from "@/lib/reviews/questions/submit-question";
import { submissionReceipt } from "@/lib/reviews/submissions/submission-receipt";

/**
 * The result: issues with all input, or that the question is stored, whether an email will follow, and the token of its
 * receipt.
 */
export type QuestionOutcome =
  | { state: NonNullable<FormState<QuestionValues>> }
  | { mailed: boolean; receipt: string | null };

/**
 * Stores a visitor's question about a product as pending. If there are issues, returns all of them in the form's
 * language and stores nothing. Drops an address that isn't needed. `address` is the sender's IP address. Throws
 * `not_found` if the link has no client or product, or the client accepts no questions.
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
  const stored = await submitQuestion(client, {
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
  return { mailed: values.mail_answer, receipt: await submissionReceipt(client.id, "question", stored) };
}
