"use client";

import { AuthorField, EmailField } from "@/components/forms/author-fields";
import { cardClass, IssueSummary, OptionalLabel, SendButton, TermsField } from "@/components/forms/form-parts";
import { ItemFields } from "@/components/forms/item-fields";
import { StarField } from "@/components/forms/star-field";
import { type Send, useFormSubmit } from "@/components/forms/use-form-submit";
import { useTexts } from "@/components/forms/use-texts";
import { Field, TextArea } from "@/components/ui/field";
import type { ReviewForm as Form, FormValues, ReviewFormText, ReviewFormTexts } from "@/lib/forms/schema";

type Props = {
  form: Form;
  texts: ReviewFormTexts;
  /** the button's text, if not the form's default */
  submit?: string;
  /** the button's color and text color, from the store */
  accent: { color: string; ink: string } | null;
  send: Send<FormValues>;
};

/**
 * The review form: its items (all of an invitation, or the product of the web form), the store, the display name and a
 * button. A plain form that works without scripts; with them it stays on the page, keeps what was typed and uploads
 * photos when selected.
 */
export function ReviewForm({ form, texts, submit, accent, send }: Props) {
  const t = useTexts(texts);
  const sending = useFormSubmit(send);
  const { state, sendFailed, busy } = sending;
  const values = state?.values ?? form.values;
  const issueAt = (field: string) => sending.issues?.find((issue) => issue.field === field)?.message;
  const issues = sendFailed ? [{ field: "send", message: t("form.errorBusy") }] : sending.issues;
  // The page of an invitation without items has the store's heading.
  const sellerOnly = form.skippable && form.items.length === 0;

  return (
    <form {...sending.form} className="flex flex-col gap-6">
      {issues && issues.length > 0 && (
        <IssueSummary
          ref={sending.summary}
          heading={state?.warned && !sendFailed ? t("reviewForm.askHeading") : undefined}
          issues={issues}
          about={(field) => issuePrefix(field, form, t)}
          t={t}
        />
      )}
      {state?.warned && <input type="hidden" name="asked" value="1" />}
      {form.incentive !== null && (
        <p className={cardClass}>{t("reviewForm.incentive", { incentive: form.incentive })}</p>
      )}
      {form.items.map((item) => (
        <ItemFields
          key={item.position}
          item={item}
          values={values.items[item.position] ?? (form.values.items[item.position] as Form["values"]["items"][string])}
          skippable={form.skippable}
          asks={form.asks}
          t={t}
          issueAt={issueAt}
          uploadKey={form.upload_key}
          onUpload={sending.waitForUpload}
        />
      ))}
      {form.asks.seller && (
        <fieldset id="seller" className={`group/item scroll-mt-6 ${cardClass}`}>
          <legend className="sr-only">{t("reviewForm.sellerHeading", { shop: form.shop })}</legend>
          {!sellerOnly && (
            <p aria-hidden="true" className="mb-1 text-lg font-semibold">
              {t("reviewForm.sellerHeading", { shop: form.shop })}{" "}
              {form.skippable && <span className="text-sm font-normal text-muted">({t("form.optional")})</span>}
            </p>
          )}
          <StarField
            name="seller.score"
            value={values.seller.score}
            error={issueAt("seller.score")}
            t={t}
            clearable={form.skippable}
          />
          <div className="mt-4 hidden group-has-[[data-star]:checked]/item:block">
            <input type="hidden" name="seller.title" defaultValue={values.seller.title} />
            <Field
              id="seller.content"
              label={<OptionalLabel t={t}>{t("reviewForm.sellerContent")}</OptionalLabel>}
              error={issueAt("seller.content")}
            >
              {(wiring) => <TextArea {...wiring} name="seller.content" defaultValue={values.seller.content} />}
            </Field>
          </div>
        </fieldset>
      )}
      <fieldset className={`flex flex-col gap-5 ${cardClass}`}>
        <legend className="sr-only">{t("form.authorHeading")}</legend>
        <AuthorField
          label={t("reviewForm.author")}
          hint={form.asks.email ? undefined : t("reviewForm.emailHint")}
          value={values.author}
          error={issueAt("author")}
        />
        {form.asks.email && (
          <EmailField
            label={
              form.asks.email === "required" ? t("form.email") : <OptionalLabel t={t}>{t("form.email")}</OptionalLabel>
            }
            hint={t(form.asks.email === "required" ? "reviewForm.emailRequiredHint" : "reviewForm.emailOptionalHint", {
              shop: form.shop,
            })}
            value={values.email}
            error={issueAt("email")}
          />
        )}
        {form.terms && <TermsField terms={form.terms} agreed={values.terms} error={issueAt("terms")} t={t} />}
        <SendButton busy={busy} t={t} accent={accent}>
          {submit ?? t("reviewForm.submit")}
        </SendButton>
      </fieldset>
    </form>
  );
}

/** The subject of an issue, if its text alone doesn't say it: the item among several, the question, or the name. */
function issuePrefix(field: string, form: Form, t: ReviewFormText): string {
  if (field === "author") return `${t("reviewForm.author")}: `;
  const [, position, answered] = /^items\.(\d+)\.(?:answers\.(.*))?/.exec(field) ?? [];
  const item = form.items.find((one) => String(one.position) === position);
  const question = item?.questions.find(({ id }) => id === answered);
  const parts = [form.items.length > 1 ? item?.name : undefined, question?.label];
  return parts.flatMap((part) => (part ? [/[?!:.]$/.test(part) ? `${part} ` : `${part}: `] : [])).join("");
}
