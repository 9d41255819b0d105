"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { sentKey } from "@/components/integrations/queries";
import { Button } from "@/components/ui/button";
import { ignoreDoubleClick } from "@/components/ui/submit-guard";
import { useToast } from "@/components/ui/toast";
import type { replayWebhookContract } from "@/lib/integrations/webhooks/contract";
import type { WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; webhookId: string };

function useReplay({ clientId, webhookId }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const cache = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (selection: { delivery_id: string } | { failed: true }) =>
      call<typeof replayWebhookContract>("POST /portal/api/v1/webhooks/{id}/replay", {
        params: { id: webhookId },
        query: { client_id: clientId },
        body: selection,
      }),
    onSuccess: ({ data: { replayed } }) =>
      toast.show({
        id: "replayed",
        text: t("deliveries.resending", { n: replayed }),
      }),
    onError: (error) => toast.show({ id: "replayed", tone: "bad", text: messageOf(error, t) }),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: sentKey(clientId) });
      router.refresh();
    },
  });
}

/** Resends an event. */
export function ResendButton({ delivery, ...props }: Props & { delivery: WebhookDelivery }) {
  const t = useTranslations();
  const replay = useReplay(props);
  return (
    <Button
      size="small"
      disabled={replay.isPending}
      onClick={ignoreDoubleClick(() => replay.mutate({ delivery_id: delivery.id }))}
      aria-label={t("deliveries.resendNamed", { event: delivery.event, subject: delivery.subject })}
    >
      <RotateCcw aria-hidden="true" className="size-3.5" />
      {t("deliveries.resend")}
    </Button>
  );
}

/** Resends all failed events. */
export function ResendFailedButton(props: Props) {
  const t = useTranslations();
  const replay = useReplay(props);
  return (
    <Button size="small" disabled={replay.isPending} onClick={ignoreDoubleClick(() => replay.mutate({ failed: true }))}>
      <RotateCcw aria-hidden="true" className="size-3.5" />
      {t("deliveries.resendAll")}
    </Button>
  );
}
