"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { sentKey } from "@/components/integrations/queries";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import type { replayWebhookContract } from "@/lib/webhooks/contract";
import type { WebhookDelivery } from "@/lib/webhooks/schema";

type Props = { clientId: string; webhookId: string };

function useReplay({ clientId, webhookId }: Props) {
  const router = useRouter();
  const cache = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (what: { delivery_id: string } | { failed: true }) =>
      call<typeof replayWebhookContract>("POST /portal/api/v1/webhooks/{id}/replay", {
        params: { id: webhookId },
        query: { client_id: clientId },
        body: what,
      }),
    onSuccess: ({ data: { replayed } }) =>
      toast.show({
        id: "replayed",
        text: replayed === 1 ? "The event is told again." : `${replayed} events are told again.`,
      }),
    onError: (error) => toast.show({ id: "replayed", tone: "bad", text: messageOf(error) }),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: sentKey(clientId) });
      router.refresh();
    },
  });
}

/** Has an event told again. */
export function TellAgain({ delivery, ...props }: Props & { delivery: WebhookDelivery }) {
  const replay = useReplay(props);
  return (
    <Button
      size="small"
      disabled={replay.isPending}
      onClick={() => replay.mutate({ delivery_id: delivery.id })}
      aria-label={`Tell again: ${delivery.event} of ${delivery.subject}`}
    >
      <RotateCcw aria-hidden="true" className="size-3.5" />
      Tell again
    </Button>
  );
}

/** Has everything told again that was given up. */
export function TellFailedAgain(props: Props) {
  const replay = useReplay(props);
  return (
    <Button size="small" disabled={replay.isPending} onClick={() => replay.mutate({ failed: true })}>
      <RotateCcw aria-hidden="true" className="size-3.5" />
      Tell all of them again
    </Button>
  );
}
