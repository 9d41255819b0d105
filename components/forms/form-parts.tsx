import { LoaderCircle } from "lucide-react";
import type { CSSProperties, ReactNode, RefObject } from "react";
import { Button } from "@/components/ui/button";
import type { FormIssue, FormText, Terms } from "@/lib/forms/schema";

export const cardClass = "min-w-0 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-7";

/** All issues, above the form, each linked to its control. An issue at `send` is none that the author can fix. */
export function IssueSummary({
  ref,
  heading,
  issues,
  about = () => "",
  t,
}: {
  ref: RefObject<HTMLDivElement | null>;
  /** if not the number of errors to fix */
  heading?: string | undefined;
  issues: FormIssue[];
  /** the subject of an issue, if its text alone doesn't say it */
  about?: (field: string) => string;
  t: FormText;
}) {
  const errors = issues.filter(({ field }) => field !== "send").length;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts, focus is how the page shows what went wrong
      autoFocus
      className="rounded-card border border-bad/40 bg-bad-soft p-5 text-bad"
    >
      <h2 className="mb-1 font-semibold">
        {heading ?? (errors > 0 ? t("form.errorHeading", { n: errors }) : t("form.notSubmitted"))}
      </h2>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        {issues.map(({ field, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two photos can fail with the same text
          <li key={index}>
            <a href={`#${field}`} className="underline underline-offset-3">
              {about(field)}
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The checkbox to accept the store's terms, with the terms. */
export function TermsField({
  terms,
  agreed,
  error,
  t,
}: {
  terms: Terms;
  agreed: boolean;
  error: string | undefined;
  t: FormText;
}) {
  return (
    <div className="flex flex-col gap-3">
      {terms.text && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          aria-label={t("form.termsHeading")}
          className="max-h-40 overflow-y-auto rounded-control bg-sunken p-3 text-sm whitespace-pre-line text-muted"
        >
          {terms.text}
        </section>
      )}
      <label className="flex cursor-pointer items-start gap-3 py-1">
        <input
          id="terms"
          type="checkbox"
          name="terms"
          defaultChecked={agreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "terms-error" : undefined}
          className="size-5 shrink-0"
        />
        <span className="text-sm">{t("form.terms")}</span>
      </label>
      {terms.url && (
        <a href={terms.url} target="_blank" rel="noreferrer" className="link w-fit text-sm">
          {t("form.termsLink")}
        </a>
      )}
      {error && <FieldIssue id="terms-error">{error}</FieldIssue>}
    </div>
  );
}

/** A label marked as optional. */
export function OptionalLabel({ children, t }: { children: ReactNode; t: FormText }) {
  return (
    <>
      {children} <span className="font-normal text-muted">({t("form.optional")})</span>
    </>
  );
}

export function FieldIssue({ id, children, alert }: { id: string; children: ReactNode; alert?: boolean }) {
  return (
    <p id={id} role={alert ? "alert" : undefined} className="mt-1 text-sm font-medium text-bad">
      {children}
    </p>
  );
}

/** The form's only button, in the store's color. While the form is being sent it stays focusable and does nothing. */
export function SendButton({
  busy,
  t,
  accent,
  children,
}: {
  busy: boolean;
  t: FormText;
  accent: { color: string; ink: string } | null;
  children: ReactNode;
}) {
  return (
    <Button
      id="send"
      type="submit"
      variant="primary"
      size="large"
      aria-disabled={busy}
      className="w-full sm:w-fit sm:px-10"
      style={accent ? ({ backgroundColor: accent.color, color: accent.ink } as CSSProperties) : undefined}
    >
      {busy && <LoaderCircle className="size-5 animate-spin" aria-hidden="true" />}
      {busy ? t("form.sending") : children}
    </Button>
  );
}
