import { unstable_rethrow } from "next/navigation";
import { type FormEvent, useActionState, useEffect, useRef, useState, useTransition } from "react";
import { clearDraft, restoreDraft, saveDraft } from "@/components/forms/draft";
import type { FormState } from "@/lib/forms/schema";

/** Sends a form: what is to be mended, or a redirect to the thanks. */
export type Send<Values> = (state: FormState<Values>, form: FormData) => Promise<FormState<Values>>;

/**
 * How a public form is sent. Without scripts the browser does it, and the page comes back with what is wrong. With them
 * the page stays: it waits for photos under way, sends once however often it is asked, puts the cursor to the first
 * issue, and keeps what was typed when the line breaks (`lost`) or the tab is reloaded.
 */
export function useFormSubmit<Values>(send: Send<Values>) {
  const [sent, action] = useActionState(send, null);
  const [state, setState] = useState(sent);
  const [sendFailed, setLost] = useState(false);
  /** fields that were changed since they were found at fault */
  const [fixedFields, setMended] = useState<string[]>([]);
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

  /** Tells of an upload: the form is sent when it is over. One that failed before is told at the photos, and holds up nothing. */
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
        setLost(false);
        setMended([]);
        setState(answer);
      });
    } catch (error) {
      if (isRedirect(error)) clearDraft();
      unstable_rethrow(error);
      start(() => setLost(true));
    }
  }

  // Sent by hand rather than by the browser's own way, after which React would empty the fields.
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
    if (changed.length > 0) setMended((fields) => [...fields, ...changed]);
  };
  const issues = state?.issues.filter(({ field }) => !fixedFields.includes(field));
  return {
    state,
    issues,
    lost: sendFailed,
    busy,
    summary,
    wait: waitForUpload,
    form: { ref: form, action, onSubmit, onInput, noValidate: true },
  };
}

/** Whether a control is the one with this id, or one of the group with it. */
const isAt = (control: Element, id: string): boolean => document.getElementById(id)?.contains(control) ?? false;

/** The control of the issue that stands highest in the page. */
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
