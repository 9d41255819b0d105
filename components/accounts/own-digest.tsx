"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { Field, Select } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import type { setDigestContract } from "@/lib/moderation/digests/contract";
import type { Digest } from "@/lib/moderation/digests/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; digest: Digest | null; email: string | null; timeZone: string };

const USUAL_HOUR = 8;
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

export function OwnDigest({ clientId, digest, email, timeZone }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [every, setEvery] = useState<Digest["every"] | "">(digest?.every ?? "");
  const [hour, setHour] = useState(digest?.hour ?? USUAL_HOUR);
  const save = useMutation({
    mutationFn: () =>
      call<typeof setDigestContract>("PUT /portal/api/v1/account/digest", {
        query: { client_id: clientId },
        body: { digest: every === "" ? null : { every, hour } },
      }),
    onSuccess: () => {
      toast.show({ id: "digest", text: every === "" ? t("myAccount.summaryOff") : t("common.saved") });
      router.refresh();
    },
  });
  if (email === null && digest === null) return <Notice>{t("myAccount.summaryNoEmail")}</Notice>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field id="digest-every" label={t("myAccount.frequency")}>
          {(wiring) => (
            <Select {...wiring} value={every} onChange={(e) => setEvery(e.target.value as Digest["every"] | "")}>
              <option value="">{t("myAccount.frequencyNever")}</option>
              <option value="day">{t("myAccount.frequencyDaily")}</option>
              <option value="week">{t("myAccount.frequencyWeekly")}</option>
            </Select>
          )}
        </Field>
        {every !== "" && (
          <Field
            id="digest-hour"
            label={t("myAccount.hour")}
            hint={t("myAccount.timeZoneHint", { zone: timeZone.replaceAll("_", " ") })}
          >
            {(wiring) => (
              <Select {...wiring} value={hour} onChange={(e) => setHour(Number(e.target.value))}>
                {hours.map((label, index) => (
                  <option key={label} value={index}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      <FormActions error={save.error && messageOf(save.error, t)} busy={save.isPending} busyLabel={t("common.saving")}>
        {t("common.save")}
      </FormActions>
    </form>
  );
}
