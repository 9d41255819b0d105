"use client";

import {
  type CSSProperties,
  type FormEvent,
  startTransition,
  useActionState,
  useEffect,
  useRef,
  useState,
} from "react";
import { ItemFields } from "@/components/collect/item-fields";
import type { UploadPhoto } from "@/components/collect/photo-field";
import { StarField } from "@/components/collect/star-field";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { ReviewForm as Form, FormState, FormWords } from "@/lib/forms/schema";
import { fill } from "@/lib/languages/rules";

type Props = {
  form: Form;
  words: FormWords;
  /** colour of the shop and of text on it, for the button */
  accent: { color: string; ink: string } | null;
  send: (state: FormState, form: FormData) => Promise<FormState>;
  upload: UploadPhoto;
};

/**
 * The form for reviews: its items (all of an invitation, or the one product of the web form), the seller, the name to be
 * shown, one button. It is a plain form that works without scripts; with them it stays on the page, keeps what was typed
 * and uploads photos as they are chosen.
 */
export function ReviewForm({ form, words, accent, send, upload }: Props) {
  const [state, submit, sending] = useActionState(send, null);
  const [waiting, setWaiting] = useState(false);
  const uploads = useRef(new Set<Promise<boolean>>());
  const summary = useRef<HTMLDivElement>(null);
  const values = state?.values ?? form.values;
  const faultAt = (field: string) => state?.faults.find((fault) => fault.field === field)?.message;
  const busy = sending || waiting;

  useEffect(() => {
    if (state) summary.current?.focus();
  }, [state]);

  // One that failed before is told at the photos, and does not hold up the form.
  function wait(upload: Promise<boolean>) {
    uploads.current.add(upload);
    upload.finally(() => uploads.current.delete(upload));
  }

  // Sent by hand rather than by the browser's own way, after which React would empty the fields.
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const element = event.currentTarget;
    setWaiting(true);
    const finished = await Promise.all(uploads.current);
    setWaiting(false);
    if (finished.includes(false)) return element.querySelector<HTMLElement>("[type=file][aria-invalid]")?.focus();
    startTransition(() => submit(new FormData(element)));
  }

  return (
    <form action={submit} onSubmit={onSubmit} noValidate className="flex flex-col gap-6">
      {state && (
        <div
          ref={summary}
          role="alert"
          tabIndex={-1}
          // biome-ignore lint/a11y/noAutofocus: without scripts this is how the page says what went wrong
          autoFocus
          className="rounded-card border border-bad/40 bg-bad-soft p-5 text-bad"
        >
          <h2 className="mb-1 font-semibold">{words.fault_heading}</h2>
          <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
            {state.faults.map(({ field, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two photos can fail with the same words
              <li key={index}>
                <a href={`#${field}`} className="underline underline-offset-3">
                  {about(field, form, words)}
                  {message}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {form.items.map((item) => (
        <ItemFields
          key={item.position}
          item={item}
          values={values.items[item.position] ?? (form.values.items[item.position] as Form["values"]["items"][string])}
          skippable={form.skippable}
          asks={form.asks}
          words={words}
          faultAt={faultAt}
          upload={upload}
          onUpload={wait}
        />
      ))}
      {form.asks.seller && (
        <fieldset
          id="seller"
          className="group/item scroll-mt-6 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-7"
        >
          <legend className="sr-only">{fill(words.seller_heading, { shop: form.shop })}</legend>
          <p aria-hidden="true" className="mb-1 text-lg font-semibold">
            {fill(words.seller_heading, { shop: form.shop })}{" "}
            <span className="text-sm font-normal text-muted">({words.optional})</span>
          </p>
          <StarField name="seller.score" value={values.seller.score} error={faultAt("seller.score")} words={words} />
          <div className="mt-4 hidden group-has-[[data-star]:checked]/item:block">
            <input type="hidden" name="seller.title" defaultValue={values.seller.title} />
            <Field
              id="seller.content"
              label={`${words.seller_content} (${words.optional})`}
              error={faultAt("seller.content")}
            >
              {(wiring) => <TextArea {...wiring} name="seller.content" defaultValue={values.seller.content} />}
            </Field>
          </div>
        </fieldset>
      )}
      <fieldset className="flex flex-col gap-5 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-7">
        <legend className="sr-only">{words.author_heading}</legend>
        <Field
          id="author"
          label={words.author}
          hint={form.asks.email ? undefined : words.author_hint}
          error={faultAt("author")}
        >
          {(wiring) => (
            <Input
              {...wiring}
              name="author"
              defaultValue={values.author}
              maxLength={255}
              autoComplete="nickname"
              className="sm:max-w-xs"
            />
          )}
        </Field>
        {form.asks.email && (
          <Field
            id="email"
            label={form.asks.email === "required" ? words.email : `${words.email} (${words.optional})`}
            hint={fill(form.asks.email === "required" ? words.email_required_hint : words.email_optional_hint, {
              shop: form.shop,
            })}
            error={faultAt("email")}
          >
            {(wiring) => (
              <Input
                {...wiring}
                name="email"
                type="email"
                defaultValue={values.email}
                maxLength={320}
                autoComplete="email"
                className="sm:max-w-xs"
              />
            )}
          </Field>
        )}
        {form.terms && <Terms terms={form.terms} agreed={values.terms} error={faultAt("terms")} words={words} />}
        <Button
          id="send"
          type="submit"
          look="primary"
          size="large"
          aria-disabled={busy}
          className="w-full sm:w-fit sm:px-10"
          style={accent ? ({ backgroundColor: accent.color, color: accent.ink } as CSSProperties) : undefined}
        >
          {busy ? words.sending : words.send}
        </Button>
      </fieldset>
    </form>
  );
}

/** What a fault is about, where its sentence alone does not say: the item among several, the question, the name. */
function about(field: string, form: Form, words: FormWords): string {
  if (field === "author") return `${words.author}: `;
  const [, position, answered] = /^items\.(\d+)\.(?:answers\.(.*))?/.exec(field) ?? [];
  const item = form.items.find((one) => String(one.position) === position);
  const question = item?.questions.find(({ id }) => id === answered);
  const parts = [form.items.length > 1 ? item?.name : undefined, question?.label];
  return parts.flatMap((part) => (part ? [/[?!:.]$/.test(part) ? `${part} ` : `${part}: `] : [])).join("");
}

function Terms({
  terms,
  agreed,
  error,
  words,
}: {
  terms: NonNullable<Form["terms"]>;
  agreed: boolean;
  error: string | undefined;
  words: FormWords;
}) {
  return (
    <div className="flex flex-col gap-3">
      {terms.text && (
        <div className="max-h-40 overflow-y-auto rounded-control bg-sunken p-3 text-sm whitespace-pre-line text-muted">
          {terms.text}
        </div>
      )}
      <label className="flex cursor-pointer items-start gap-3">
        <input
          id="terms"
          type="checkbox"
          name="terms"
          defaultChecked={agreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "terms-error" : undefined}
          className="mt-1 size-4 shrink-0"
        />
        <span className="text-sm">{words.terms}</span>
      </label>
      {terms.url && (
        <a href={terms.url} target="_blank" rel="noreferrer" className="link w-fit text-sm">
          {words.terms_link}
        </a>
      )}
      {error && (
        <p id="terms-error" className="text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
