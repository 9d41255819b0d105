"use client";

import { useActionState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";

export type SignInState = { error: string | null; username: string };

type Props = {
  action: (state: SignInState, form: FormData) => Promise<SignInState>;
  /** where to go afterwards; checked again by the action */
  to: string;
  /** what went wrong on the way here */
  error: string | null;
};

/** Works as a plain form; with JavaScript it stays on the page while it asks. */
export function SignInForm({ action, to, error }: Props) {
  const [state, submit, busy] = useActionState(action, { error, username: "" });
  return (
    <form action={submit} className="flex flex-col gap-5">
      {state.error && (
        <Notice tone="bad" alert>
          {state.error}
        </Notice>
      )}
      <input type="hidden" name="to" value={to} />
      <Field id="username" label="User name">
        {(wiring) => (
          <Input
            {...wiring}
            name="username"
            required
            maxLength={320}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={state.username}
          />
        )}
      </Field>
      <Field id="password" label="Password">
        {(wiring) => (
          <Input
            {...wiring}
            name="password"
            type="password"
            required
            maxLength={1_000}
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" look="primary" size="large" aria-disabled={busy} className="mt-1 w-full">
        {busy ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}
