"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { deliveryKindLabel } from "@/components/integrations/delivery-labels";
import { sentKey } from "@/components/integrations/queries";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import type { retryDeliveriesContract } from "@/lib/integrations/contract";
import type { DeliveryLine, Integration } from "@/lib/integrations/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { kind: Integration["kind"]; clientId: string };

function useRetry({ kind, clientId }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const cache = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (delivery_id?: string) =>
      call<typeof retryDeliveriesContract>("POST /portal/api/v1/integrations/{kind}/retry", {
        params: { kind },
        query: { client_id: clientId },
        body: { ...(delivery_id !== undefined && { delivery_id }) },
      }),
    onSuccess: ({ data: { retried } }) =>
      toast.show({
        id: "retried",
        text: retried === 0 ? t("deliveries.nothingToRetry") : t("deliveries.retrying", { n: retried }),
      }),
    onError: (error) => toast.show({ id: "retried", tone: "bad", text: messageOf(error, t) }),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: sentKey(clientId) });
      router.refresh();
    },
  });
}

/** Retries one delivery. */
export function RetryOne({ delivery, ...props }: Props & { delivery: DeliveryLine }) {
  const t = useTranslations();
  const retry = useRetry(props);
  return (
    <Button
      size="small"
      disabled={retry.isPending}
      onClick={() => retry.mutate(delivery.id)}
      aria-label={t("deliveries.retryNamed", { what: `${deliveryKindLabel(delivery.kind, t)} ${delivery.subject}` })}
    >
      <RotateCcw aria-hidden="true" className="size-3.5" />
      {t("deliveries.retry")}
    </Button>
  );
}

/** Retries all failed deliveries, including those on other pages. */
export function RetryAll(props: Props) {
  const t = useTranslations();
  const retry = useRetry(props);
  return (
    <Button size="small" disabled={retry.isPending} onClick={() => retry.mutate(undefined)}>
      <RotateCcw aria-hidden="true" className="size-3.5" />
      {t("deliveries.retryAllFailed")}
    </Button>
  );
}
