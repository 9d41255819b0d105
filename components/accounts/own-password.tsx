"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { CurrentPassword, NewPassword } from "@/components/accounts/password-field";
import { FormActions } from "@/components/ui/form-actions";
import { useToast } from "@/components/ui/toast";
import type { changePasswordContract } from "@/lib/accounts/contract";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";

/** Changes the own password. Signs out all other browsers. */
export function OwnPassword({ username }: { username: string }) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const save = useMutation({
    mutationFn: () =>
      call<typeof changePasswordContract>("PUT /portal/api/v1/account/password", { body: { current, password } }),
    onSuccess: () => {
      setCurrent("");
      setPassword("");
      toast.show({ id: "password", text: t("myAccount.passwordChanged") });
      router.refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const known = issueOf(save.error, "current") ?? issueOf(save.error, "password");
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-5">
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <CurrentPassword
        id="own-current"
        label={t("myAccount.currentPassword")}
        error={issueOf(save.error, "current")}
        value={current}
        onText={setCurrent}
      />
      <NewPassword id="own-new" error={issueOf(save.error, "password")} value={password} onText={setPassword} />
      <FormActions
        variant="secondary"
        error={save.error && !known && messageOf(save.error, t)}
        busy={save.isPending}
        busyLabel={t("myAccount.changing")}
      >
        {t("myAccount.changePassword")}
      </FormActions>
    </form>
  );
}
