"use client";

import { AuthorField, EmailField } from "@/components/forms/author-fields";
import { cardClass, IssueSummary, OptionalLabel, SendButton, TermsField } from "@/components/forms/form-parts";
import { ItemFields } from "@/components/forms/item-fields";
import { StarField } from "@/components/forms/star-field";
import { type Send, useSending } from "@/components/forms/use-sending";
import { Field, TextArea } from "@/components/ui/field";
import type { ReviewForm as Form, FormValues, FormWords } from "@/lib/forms/schema";
import { fill } from "@/lib/platform/i18n/languages";

type Props = {
  form: Form;
  words: FormWords;
  /** colour of the shop and of text on it, for the button */
  accent: { color: string; ink: string } | null;
  send: Send<FormValues>;
};

/**
 * The form for reviews: its items (all of an invitation, or the one product of the web form), the seller, the name to be
 * shown, one button. It is a plain form that works without scripts; with them it stays on the page, keeps what was typed
 * and uploads photos as they are chosen.
 */
export function ReviewForm({ form, words, accent, send }: Props) {
  const sending = useSending(send);
  const { state, lost, busy } = sending;
  const values = state?.values ?? form.values;
  const issueAt = (field: string) => sending.issues?.find((issue) => issue.field === field)?.message;
  const issues = lost ? [{ field: "send", message: words.fault_busy }] : sending.issues;

  return (
    <form {...sending.form} className="flex flex-col gap-6">
      {issues && issues.length > 0 && (
        <IssueSummary
          ref={sending.summary}
          heading={state?.asked && !lost ? words.ask_heading : words.fault_heading}
          issues={issues}
          about={(field) => about(field, form, words)}
        />
      )}
      {state?.asked && <input type="hidden" name="asked" value="1" />}
      {form.items.map((item) => (
        <ItemFields
          key={item.position}
          item={item}
          values={values.items[item.position] ?? (form.values.items[item.position] as Form["values"]["items"][string])}
          skippable={form.skippable}
          asks={form.asks}
          words={words}
          issueAt={issueAt}
          uploadKey={form.upload_key}
          onUpload={sending.wait}
        />
      ))}
      {form.asks.seller && (
        <fieldset id="seller" className={`group/item scroll-mt-6 ${cardClass}`}>
          <legend className="sr-only">{fill(words.seller_heading, { shop: form.shop })}</legend>
          <p aria-hidden="true" className="mb-1 text-lg font-semibold">
            {fill(words.seller_heading, { shop: form.shop })}{" "}
            {form.skippable && <span className="text-sm font-normal text-muted">({words.optional})</span>}
          </p>
          <StarField
            name="seller.score"
            value={values.seller.score}
            error={issueAt("seller.score")}
            words={words}
            clearable={form.skippable}
          />
          <div className="mt-4 hidden group-has-[[data-star]:checked]/item:block">
            <input type="hidden" name="seller.title" defaultValue={values.seller.title} />
            <Field
              id="seller.content"
              label={<OptionalLabel words={words}>{words.seller_content}</OptionalLabel>}
              error={issueAt("seller.content")}
            >
              {(wiring) => <TextArea {...wiring} name="seller.content" defaultValue={values.seller.content} />}
            </Field>
          </div>
        </fieldset>
      )}
      <fieldset className={`flex flex-col gap-5 ${cardClass}`}>
        <legend className="sr-only">{words.author_heading}</legend>
        <AuthorField
          label={words.author}
          hint={form.asks.email ? undefined : words.author_hint}
          value={values.author}
          error={issueAt("author")}
        />
        {form.asks.email && (
          <EmailField
            label={
              form.asks.email === "required" ? words.email : <OptionalLabel words={words}>{words.email}</OptionalLabel>
            }
            hint={fill(form.asks.email === "required" ? words.email_required_hint : words.email_optional_hint, {
              shop: form.shop,
            })}
            value={values.email}
            error={issueAt("email")}
          />
        )}
        {form.terms && <TermsField terms={form.terms} agreed={values.terms} error={issueAt("terms")} words={words} />}
        <SendButton busy={busy} words={words} accent={accent}>
          {words.send}
        </SendButton>
      </fieldset>
    </form>
  );
}

/** What an issue is about, where its sentence alone does not say: the item among several, the question, the name. */
function about(field: string, form: Form, words: FormWords): string {
  if (field === "author") return `${words.author}: `;
  const [, position, answered] = /^items\.(\d+)\.(?:answers\.(.*))?/.exec(field) ?? [];
  const item = form.items.find((one) => String(one.position) === position);
  const question = item?.questions.find(({ id }) => id === answered);
  const parts = [form.items.length > 1 ? item?.name : undefined, question?.label];
  return parts.flatMap((part) => (part ? [/[?!:.]$/.test(part) ? `${part} ` : `${part}: `] : [])).join("");
}
