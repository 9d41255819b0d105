"use client";

import Link from "next/link";
import { useActionState } from "react";
import { useWords } from "#words";
import { Button, buttonClass } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PASSWORD } from "@/lib/accounts/values";

export type SetPasswordState = { error: string | null; over: boolean };

type Props = {
  action: (state: SetPasswordState, form: FormData) => Promise<SetPasswordState>;
  username: string;
};

/** What stands where a mailed link does not work any more. */
export function LinkIsOver() {
  const t = useWords();
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="warn">{t("This link was used already, or it has run out. Ask for a new one.")}</Notice>
      <Link href="/portal/forgot" className={buttonClass({ look: "primary", size: "large" })}>
        {t("Mail me a new link")}
      </Link>
    </div>
  );
}

/** A new password, twice. Works as a plain form too. */
export function SetPasswordForm({ action, username }: Props) {
  const t = useWords();
  const [state, submit, busy] = useActionState(action, { error: null, over: false });
  if (state.over) return <LinkIsOver />;
  return (
    <form action={submit} className="flex flex-col gap-5">
      {state.error && (
        <Notice tone="bad" alert>
          {state.error}
        </Notice>
      )}
      <Field id="username" label={t("User name")}>
        {(wiring) => <Input {...wiring} name="username" value={username} readOnly autoComplete="username" />}
      </Field>
      <Field
        id="password"
        label={t("New password")}
        hint={t("At least {least} characters. A sentence is best.", { least: PASSWORD.least })}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="password"
            type="password"
            required
            minLength={PASSWORD.least}
            maxLength={PASSWORD.most}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field id="again" label={t("Once more")}>
        {(wiring) => (
          <Input
            {...wiring}
            name="again"
            type="password"
            required
            maxLength={PASSWORD.most}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Button type="submit" look="primary" size="large" aria-disabled={busy} className="mt-1 w-full">
        {busy ? t("Setting …") : t("Set the password")}
      </Button>
    </form>
  );
}
