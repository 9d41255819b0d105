"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { FormActions } from "@/components/ui/form-actions";
import { Notice } from "@/components/ui/notice";
import { useToast } from "@/components/ui/toast";
import type { setNotificationSettingsContract } from "@/lib/accounts/notifications/contract";
import type { NotificationSetting } from "@/lib/accounts/notifications/schema";
import { isAlwaysEmailed, type NotificationKind } from "@/lib/accounts/notifications/values";
import { call, messageOf } from "@/lib/platform/http/client";
import type { MessageKey } from "@/lib/platform/i18n/translator";

const kindLabels: Record<NotificationKind, MessageKey> = {
  feed_failed: "myAccount.kindFeedFailed",
  integration_stopped: "myAccount.kindIntegrationStopped",
  webhook_disabled: "myAccount.kindWebhookDisabled",
  emails_failed: "myAccount.kindEmailsFailed",
  job_failed: "myAccount.kindJobFailed",
  bias_found: "myAccount.kindBiasFound",
  moderation_overdue: "myAccount.kindModerationOverdue",
  import_done: "myAccount.kindImportDone",
  import_failed: "myAccount.kindImportFailed",
  mention: "myAccount.kindMention",
};

const ways = [
  { name: "portal", label: "myAccount.inPortal" },
  { name: "email", label: "myAccount.byEmail" },
] as const;

type Props = { settings: NotificationSetting[]; hasEmail: boolean };

/** Which notifications a person gets, and how. */
export function OwnNotifications({ settings, hasEmail }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const [shown, setShown] = useState(settings);
  const save = useMutation({
    mutationFn: () =>
      call<typeof setNotificationSettingsContract>("PUT /portal/api/v1/account/notifications", {
        body: { settings: shown },
      }),
    onSuccess: () => {
      toast.show({ id: "notifications", text: t("common.saved") });
      router.refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const set = (kind: NotificationKind, change: Partial<NotificationSetting>) =>
    setShown(shown.map((one) => (one.kind === kind ? { ...one, ...change } : one)));
  return (
    <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-5">
      {!hasEmail && <Notice>{t("myAccount.notificationsNoEmail")}</Notice>}
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{t("common.notifications")}</caption>
        <thead>
          <tr className="border-b border-line text-muted">
            <th scope="col" className="py-2 pr-3 font-medium">
              {t("myAccount.notificationEvent")}
            </th>
            {ways.map(({ name, label }) => (
              <th key={name} scope="col" id={`notify-${name}`} className="w-24 px-2 py-2 text-center font-medium">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((setting) => (
            <tr key={setting.kind} className="border-b border-line">
              <th scope="row" id={`notify-${setting.kind}`} className="py-2.5 pr-3 font-normal">
                {t(kindLabels[setting.kind])}
              </th>
              {ways.map(({ name }) => (
                <td key={name} className="px-2 text-center">
                  {name === "email" && isAlwaysEmailed(setting.kind) ? (
                    <span className="text-muted">{t("myAccount.alwaysByEmail")}</span>
                  ) : (
                    <input
                      type="checkbox"
                      aria-labelledby={`notify-${setting.kind} notify-${name}`}
                      checked={setting[name]}
                      disabled={name === "email" && !hasEmail && !setting.email}
                      onChange={(event) => set(setting.kind, { [name]: event.target.checked })}
                      className="size-4 align-middle"
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <FormActions error={save.error && messageOf(save.error, t)} busy={save.isPending} busyLabel={t("common.saving")}>
        {t("common.save")}
      </FormActions>
    </form>
  );
}
