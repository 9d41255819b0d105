import { unstable_rethrow } from "next/navigation";
import { type FormEvent, useActionState, useEffect, useRef, useState, useTransition } from "react";
import { clearDraft, restoreDraft, saveDraft } from "@/components/forms/draft";
import type { FormState } from "@/lib/forms/schema";

/** Submits a form: returns the issues to fix, or redirects to the thank-you page. */
export type Send<Values> = (state: FormState<Values>, form: FormData) => Promise<FormState<Values>>;

/**
 * Submits a public form. Without scripts the browser does it, and the page returns with the issues. With scripts the
 * page stays: it waits for uploads, sends only once, focuses the first issue, and keeps what was typed if the
 * connection fails (`lost`) or the tab is reloaded.
 */
export function useFormSubmit<Values>(send: Send<Values>) {
  const [sent, action] = useActionState(send, null);
  const [state, setState] = useState(sent);
  const [sendFailed, setSendFailed] = useState(false);
  /** fields changed since their issue was reported */
  const [fixedFields, setFixedFields] = useState<string[]>([]);
  const [busy, start] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const inFlight = useRef(false);
  const uploads = useRef(new Set<Promise<boolean>>());

  useEffect(() => {
    if (!sent && form.current) restoreDraft(form.current);
  }, [sent]);

  useEffect(() => {
    if (sendFailed) summary.current?.focus();
    else if (state) (firstControl(state.issues) ?? summary.current)?.focus();
  }, [state, sendFailed]);

  /**
   * Makes the form wait for an upload. An upload that failed earlier is shown at the photos and doesn't block the form.
   */
  function waitForUpload(upload: Promise<boolean>) {
    uploads.current.add(upload);
    upload.finally(() => uploads.current.delete(upload));
  }

  async function sendOnce(element: HTMLFormElement) {
    if ((await Promise.all(uploads.current)).includes(false)) {
      element.querySelector<HTMLElement>("[type=file][aria-invalid]")?.focus();
      return;
    }
    try {
      const answer = await send(null, new FormData(element));
      start(() => {
        setSendFailed(false);
        setFixedFields([]);
        setState(answer);
      });
    } catch (error) {
      if (isRedirect(error)) clearDraft();
      unstable_rethrow(error);
      start(() => setSendFailed(true));
    }
  }

  // Submit manually: after a native form action React would clear the fields.
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (inFlight.current) return;
    inFlight.current = true;
    const element = event.currentTarget;
    start(() => sendOnce(element).finally(() => (inFlight.current = false)));
  }

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    saveDraft(event.currentTarget);
    const changed = state?.issues.flatMap(({ field }) => (isAt(event.target as Element, field) ? [field] : [])) ?? [];
    if (changed.length > 0) setFixedFields((fields) => [...fields, ...changed]);
  };
  const issues = state?.issues.filter(({ field }) => !fixedFields.includes(field));
  return {
    state,
    issues,
    sendFailed,
    busy,
    summary,
    waitForUpload,
    form: { ref: form, action, onSubmit, onInput, noValidate: true },
  };
}

/** Whether a control has this id or is in the group with this id. */
const isAt = (control: Element, id: string): boolean => document.getElementById(id)?.contains(control) ?? false;

/** The control of the first issue in page order. */
function firstControl(issues: { field: string }[]): HTMLElement | undefined {
  const controls = issues.flatMap(({ field }) => {
    const named = field === "send" ? null : document.getElementById(field);
    const control = named?.matches("input, textarea")
      ? named
      : named?.querySelector<HTMLElement>("input:not([type=hidden]), textarea");
    return control ? [control] : [];
  });
  return controls.sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )[0];
}

const isRedirect = (error: unknown): boolean =>
  error instanceof Error && "digest" in error && String(error.digest).startsWith("NEXT_REDIRECT");
