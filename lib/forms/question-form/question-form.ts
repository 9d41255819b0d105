import { termsOf } from "@/lib/forms/asked";
import { authorIssues, emailIssues, longIssues } from "@/lib/forms/issues";
import type { QuestionForm, QuestionValues, QuestionWords } from "@/lib/forms/question-form/schema";
import { textOf } from "@/lib/forms/read-form";
import type { FormIssue, FormWords } from "@/lib/forms/schema";
import type { OpenWebForm } from "@/lib/forms/web-form/open-web-form";
import { subjectName } from "@/lib/forms/web-form/open-web-form";

/** The form as it first shows. */
export const toQuestionForm = ({ client, language, subject }: OpenWebForm): QuestionForm => ({
  subject: { name: subjectName(subject), image_url: subject.image_url },
  values: { question: "", details: "", author: "", email: "", mail_answer: false, terms: false },
  shop: client.display_name,
  email: client.require_verification ? "needed" : "for_answer",
  terms: client.must_agree_to_terms_web ? termsOf(client, language) : null,
});

/** What was sent with the form. */
export const readQuestionForm = (form: FormData): QuestionValues => ({
  question: textOf(form, "question"),
  details: textOf(form, "details"),
  author: textOf(form, "author"),
  email: textOf(form, "email"),
  mail_answer: form.get("mail_answer") !== null,
  terms: form.get("terms") !== null,
});

/** What is wrong with what was typed, from top to bottom. */
export function questionFormIssues(
  values: QuestionValues,
  { needsEmail, mustAgree }: { needsEmail: boolean; mustAgree: boolean },
  words: FormWords & { fault_question: QuestionWords["fault_question"] },
): FormIssue[] {
  const email: FormIssue[] =
    needsEmail && values.email.trim() === ""
      ? [{ field: "email", message: words.fault_email }]
      : needsEmail
        ? emailIssues(values, words)
        : [];
  const [author, terms] = [authorIssues(values, { mustAgree: false }, words), mustAgree && !values.terms];
  return [
    ...(values.question.trim() === "" ? [{ field: "question", message: words.fault_question }] : []),
    ...longIssues("question", values.question, 255, words),
    ...longIssues("details", values.details, 60_000, words),
    ...author,
    ...email,
    ...(terms ? [{ field: "terms", message: words.fault_terms }] : []),
  ];
}
