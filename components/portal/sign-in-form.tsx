"use client";

import { useActionState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";

export type SignInState = {
  error: string | null;
  username: string;
  /** the password was right, and a code of the second factor is wanted with this */
  ticket: string | null;
};

type Props = {
  action: (state: SignInState, form: FormData) => Promise<SignInState>;
  /** where to go afterwards; checked again by the action */
  to: string;
  /** what went wrong on the way here */
  error: string | null;
};

/** Works as a plain form; with JavaScript it stays on the page while it asks. */
export function SignInForm({ action, to, error }: Props) {
  const t = useWords();
  const [state, submit, busy] = useActionState(action, { error, username: "", ticket: null });
  return (
    <form action={submit} className="flex flex-col gap-5">
      {state.error && (
        <Notice tone="bad" alert>
          {state.error}
        </Notice>
      )}
      <input type="hidden" name="to" value={to} />
      {state.ticket === null ? (
        <>
          <Field id="username" label={t("User name")}>
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
          <Field id="password" label={t("Password")}>
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
        </>
      ) : (
        <>
          <input type="hidden" name="ticket" value={state.ticket} />
          <Field
            id="code"
            label={t("Code")}
            hint={t("The six digits that your authenticator app shows, or one of the codes you kept for a lost app.")}
          >
            {(wiring) => (
              <Input
                {...wiring}
                name="code"
                required
                maxLength={20}
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellCheck={false}
                // The one thing to do here.
                ref={(input) => input?.focus()}
              />
            )}
          </Field>
        </>
      )}
      <Button type="submit" look="primary" size="large" aria-disabled={busy} className="mt-1 w-full">
        {busy ? t("Signing in…") : t("Sign in")}
      </Button>
    </form>
  );
}
