"use client";

import { useActionState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";

export type ForgotState = { sent: boolean; error: string | null };

/** Asks for a link to set a new password. Works as a plain form too. */
export function ForgotForm({ action }: { action: (state: ForgotState, form: FormData) => Promise<ForgotState> }) {
  const t = useWords();
  const [state, submit, busy] = useActionState(action, { sent: false, error: null });
  if (state.sent)
    return (
      <Notice tone="good" alert>
        {t(
          "If we know you and your address, a mail with a link is on its way. The link works for an hour. If none comes, an admin of your shop can help.",
        )}
      </Notice>
    );
  return (
    <form action={submit} className="flex flex-col gap-5">
      {state.error && (
        <Notice tone="bad" alert>
          {state.error}
        </Notice>
      )}
      <Field id="who" label={t("User name or e-mail address")}>
        {(wiring) => (
          <Input
            {...wiring}
            name="who"
            required
            maxLength={320}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Button type="submit" look="primary" size="large" aria-disabled={busy} className="w-full">
        {busy ? t("Sending …") : t("Mail me a link")}
      </Button>
    </form>
  );
}
