import { termsOf } from "@/lib/forms/form-values";
import { authorIssues, emailIssues, longIssues } from "@/lib/forms/issues";
import type { QuestionForm, QuestionValues } from "@/lib/forms/question-form/schema";
import { readFormText } from "@/lib/forms/read-form";
import type { FormIssue } from "@/lib/forms/schema";
import type { OpenWebForm } from "@/lib/forms/web-form/open-web-form";
import { subjectName } from "@/lib/forms/web-form/open-web-form";
import type { PublicText } from "@/lib/platform/i18n/public-texts";

/** The form's initial state. */
export const toQuestionForm = ({ client, language, subject }: OpenWebForm): QuestionForm => ({
  subject: { name: subjectName(subject), image_url: subject.image_url },
  values: { question: "", details: "", author: "", email: "", mail_answer: false, terms: false },
  shop: client.display_name,
  email: client.require_verification ? "needed" : "for_answer",
  terms: client.must_agree_to_terms_web ? termsOf(client, language) : null,
});

/** Reads the submitted fields. */
export const readQuestionForm = (form: FormData): QuestionValues => ({
  question: readFormText(form, "question"),
  details: readFormText(form, "details"),
  author: readFormText(form, "author"),
  email: readFormText(form, "email"),
  mail_answer: form.get("mail_answer") !== null,
  terms: form.get("terms") !== null,
});

/** Issues in the input, from top to bottom. */
export function questionFormIssues(
  values: QuestionValues,
  { needsEmail, mustAgree }: { needsEmail: boolean; mustAgree: boolean },
  t: PublicText,
): FormIssue[] {
  const email: FormIssue[] =
    needsEmail && values.email.trim() === ""
      ? [{ field: "email", message: t("form.errorEmail") }]
      : needsEmail
        ? emailIssues(values, t)
        : [];
  const [author, terms] = [authorIssues(values, { mustAgree: false }, t), mustAgree && !values.terms];
  return [
    ...(values.question.trim() === "" ? [{ field: "question", message: t("questionForm.errorQuestion") }] : []),
    ...longIssues("question", values.question, 255, t),
    ...longIssues("details", values.details, 60_000, t),
    ...author,
    ...email,
    ...(terms ? [{ field: "terms", message: t("form.errorTerms") }] : []),
  ];
}
