"use client";

import { type ComponentProps, type ReactNode, useActionState } from "react";
import { Button } from "@/components/ui/button";
import type { Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { TextField } from "@/components/ui/text-field";

export type StepState<Step extends string> = {
  step: Step;
  error: string | null;
  /** values of the form's fields, and of hidden ones */
  fieldValues: Record<string, string>;
};

type StepField = Omit<ComponentProps<typeof Input>, "ref"> & {
  name: string;
  label: string;
  hint?: string;
  /** focus this field initially */
  focus?: boolean;
};

/** A step's fields, or its content if it has none. */
type FormStep = { fields: StepField[]; button: string; doing: string } | { content: ReactNode };

type Props<Step extends string> = {
  action: (state: StepState<Step>, form: FormData) => Promise<StepState<Step>>;
  first: StepState<NoInfer<Step>>;
  steps: Record<NoInfer<Step>, FormStep>;
};

/** The form of a page before sign-in. A plain form; with JavaScript it stays on the page while submitting. */
export function StepForm<Step extends string>({ action, first, steps }: Props<Step>) {
  // The state is plain data, so awaiting it doesn't change its type.
  const [state, submit, busy] = useActionState<StepState<Step>, FormData>(
    action as (state: Awaited<StepState<Step>>, form: FormData) => Promise<StepState<Step>>,
    first as Awaited<StepState<Step>>,
  );
  const step = steps[state.step];
  if ("content" in step) return step.content;
  const fieldNames = new Set(step.fields.map(({ name }) => name));
  return (
    <form action={submit} className="flex flex-col gap-5">
      {state.error && (
        <Notice tone="bad" alert>
          {state.error}
        </Notice>
      )}
      {Object.entries(state.fieldValues).map(
        ([name, value]) => !fieldNames.has(name) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {step.fields.map(({ name, focus, ...field }) => (
        <TextField
          key={name}
          id={name}
          name={name}
          required
          defaultValue={state.fieldValues[name]}
          ref={focus ? (input) => input?.focus() : undefined}
          {...field}
        />
      ))}
      <Button type="submit" variant="primary" size="large" aria-disabled={busy} className="mt-1 w-full">
        {busy ? step.doing : step.button}
      </Button>
    </form>
  );
}
