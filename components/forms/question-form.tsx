"use client";

import { AuthorField, EmailField } from "@/components/forms/author-fields";
import { cardClass, IssueSummary, OptionalLabel, SendButton, TermsField } from "@/components/forms/form-parts";
import { SubjectPicture } from "@/components/forms/subject-picture";
import { type Send, useFormSubmit } from "@/components/forms/use-form-submit";
import { useTexts } from "@/components/forms/use-texts";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { QuestionForm as Form, QuestionFormTexts, QuestionValues } from "@/lib/forms/question-form/schema";

type Props = {
  form: Form;
  texts: QuestionFormTexts;
  /** the button's text, if not the form's default */
  submit?: string;
  accent: { color: string; ink: string } | null;
  send: Send<QuestionValues>;
};

/** The form to ask a question about a product. Like the review form, it works without scripts. */
export function QuestionForm({ form, texts, submit, accent, send }: Props) {
  const t = useTexts(texts);
  const sending = useFormSubmit(send);
  const { state, sendFailed, busy } = sending;
  const values = state?.values ?? form.values;
  const issueAt = (field: string) => sending.issues?.find((issue) => issue.field === field)?.message;
  const issues = sendFailed ? [{ field: "send", message: t("form.errorBusy") }] : sending.issues;
  const { name, image_url } = form.subject;

  return (
    <form {...sending.form} className="flex flex-col gap-6">
      {issues && issues.length > 0 && <IssueSummary ref={sending.summary} issues={issues} t={t} />}
      <fieldset className={cardClass}>
        <legend className="sr-only">{name}</legend>
        <div className="mb-6 flex items-center gap-4 border-b pb-6 sm:gap-6">
          <SubjectPicture name={name} src={image_url} />
          <p aria-hidden="true" className="min-w-0 flex-1 text-lg font-semibold text-balance wrap-break-word">
            {name}
          </p>
        </div>
        <div className="flex flex-col gap-6">
          <Field
            id="question"
            label={t("questionForm.question")}
            hint={t("questionForm.questionHint")}
            error={issueAt("question")}
          >
            {(wiring) => <Input {...wiring} name="question" defaultValue={values.question} maxLength={255} />}
          </Field>
          <Field
            id="details"
            label={<OptionalLabel t={t}>{t("questionForm.details")}</OptionalLabel>}
            hint={t("questionForm.detailsHint")}
            error={issueAt("details")}
          >
            {(wiring) => <TextArea {...wiring} name="details" defaultValue={values.details} />}
          </Field>
        </div>
      </fieldset>
      <fieldset className={`group/author flex flex-col gap-5 ${cardClass}`}>
        <legend className="sr-only">{t("form.authorHeading")}</legend>
        <AuthorField
          label={t("questionForm.author")}
          hint={undefined}
          value={values.author}
          error={issueAt("author")}
        />
        {form.email && (
          <>
            <label className="flex w-fit cursor-pointer items-start gap-3 py-1 text-sm">
              <input
                type="checkbox"
                name="mail_answer"
                data-mail-answer
                defaultChecked={values.mail_answer}
                className="size-5 shrink-0"
              />
              {t("questionForm.emailAnswer")}
            </label>
            <div
              className={
                form.email === "needed" ? undefined : "hidden group-has-[[data-mail-answer]:checked]/author:block"
              }
            >
              <EmailField
                label={t("form.email")}
                hint={
                  form.email === "needed"
                    ? t("questionForm.emailRequiredHint", { shop: form.shop })
                    : t("questionForm.emailHint")
                }
                value={values.email}
                error={issueAt("email")}
              />
            </div>
          </>
        )}
        {form.terms && <TermsField terms={form.terms} agreed={values.terms} error={issueAt("terms")} t={t} />}
        <SendButton busy={busy} t={t} accent={accent}>
          {submit ?? t("questionForm.submit")}
        </SendButton>
      </fieldset>
    </form>
  );
}
