"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import type { setSendingContract } from "@/lib/invitations/contract";
import type { SendSettings } from "@/lib/invitations/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; settings: SendSettings; then: string };

/** Saves the simulated settings: they apply from the next run on. */
export function SaveSettings({ clientId, settings, then }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const save = useMutation({
    mutationFn: () =>
      call<typeof setSendingContract>("PUT /portal/api/v1/settings/invitations", {
        query: { client_id: clientId },
        body: settings,
      }),
    onSuccess: () => {
      router.push(then);
      router.refresh();
    },
  });
  return (
    <span className="flex flex-wrap items-center gap-3">
      <Button variant="primary" onClick={() => save.mutate()} disabled={save.isPending || save.isSuccess}>
        {save.isPending ? t("common.saving") : t("settings.apply")}
      </Button>
      {save.error && (
        <span role="alert" className="text-sm text-bad">
          {messageOf(save.error, t)}
        </span>
      )}
    </span>
  );
}
