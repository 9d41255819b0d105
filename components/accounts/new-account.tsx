"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import type { createAccountContract } from "@/lib/accounts/contract";
import { call, messageOf } from "@/lib/platform/http/client";

export function NewAccount() {
  const t = useTranslations();
  const router = useRouter();
  const make = useMutation({
    mutationFn: (name: string) =>
      call<typeof createAccountContract>("POST /portal/api/v1/accounts", { body: { name } }),
    onSuccess: () => router.refresh(),
  });
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        make.mutate(String(new FormData(form).get("name")), { onSuccess: () => form.reset() });
      }}
    >
      <span className="w-56">
        <Input
          name="name"
          required
          maxLength={255}
          aria-label={t("accounts.newAccountLabel")}
          placeholder={t("accounts.newAccountPlaceholder")}
        />
      </span>
      <Button type="submit" disabled={make.isPending}>
        {t("accounts.create")}
      </Button>
      {make.error && (
        <span role="alert" className="w-full text-sm text-bad">
          {messageOf(make.error, t)}
        </span>
      )}
    </form>
  );
}
