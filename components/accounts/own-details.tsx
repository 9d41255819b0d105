"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { ownLanguageName } from "@/components/accounts/labels";
import { CurrentPassword } from "@/components/accounts/password-field";
import { Field, Select } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { Switch } from "@/components/ui/switch";
import { TextField } from "@/components/ui/text-field";
import { useToast } from "@/components/ui/toast";
import type { changeAccountContract } from "@/lib/accounts/contract";
import type { OwnAccount } from "@/lib/accounts/schema";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";
import { languages } from "@/lib/platform/i18n/languages";

export function OwnDetails({ account }: { account: OwnAccount }) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [name, setName] = useState(account.name ?? "");
  const [email, setEmail] = useState(account.email ?? "");
  const [language, setLanguage] = useState<string>(account.language ?? "");
  const [hidesStars, setHidesStars] = useState(account.hide_stars);
  const [password, setPassword] = useState("");
  const moved = email.trim() !== (account.email ?? "");
  const save = useMutation({
    mutationFn: () =>
      call<typeof changeAccountContract>("PUT /portal/api/v1/account", {
        body: {
          name: name.trim() || null,
          language: languages.find((each) => each === language) ?? null,
          hide_stars: hidesStars,
          ...(moved ? { email, password } : {}),
        },
      }),
    onSuccess: () => {
      setPassword("");
      toast.show({ id: "account", text: t("common.saved") });
      router.refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const known = ["name", "email", "password"].some((member) => issueOf(save.error, member));
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-5">
      <TextField
        id="own-name"
        label={t("common.name")}
        optional
        hint={t("myAccount.nameHint")}
        value={name}
        maxLength={100}
        autoComplete="name"
        onText={setName}
      />
      <TextField
        id="own-email"
        label={t("common.emailAddress")}
        hint={account.email ? undefined : t("myAccount.noEmailHint")}
        error={issueOf(save.error, "email")}
        type="email"
        value={email}
        maxLength={320}
        autoComplete="email"
        onText={setEmail}
      />
      {moved && (
        <CurrentPassword
          id="own-email-password"
          hint={t("myAccount.emailPasswordHint")}
          error={issueOf(save.error, "password")}
          value={password}
          onText={setPassword}
        />
      )}
      <Field id="own-language" label={t("common.language")} hint={t("common.languageHint")}>
        {(wiring) => (
          <Select {...wiring} value={language} onChange={(e) => setLanguage(e.target.value)}>
            <option value="">{t("common.browserLanguage")}</option>
            {languages.map((each) => (
              <option key={each} value={each}>
                {ownLanguageName(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Switch id="own-hide-stars" label={t("myAccount.hideStars")} checked={hidesStars} onChange={setHidesStars}>
        {t("myAccount.hideStarsHint")}
      </Switch>
      <FormActions
        error={save.error && !known && messageOf(save.error, t)}
        busy={save.isPending}
        busyLabel={t("common.saving")}
      >
        {t("common.save")}
      </FormActions>
    </form>
  );
}
