"use client";

import { useMutation } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { deliveryWords, storyOf } from "@/components/webhooks/words";
import { call, messageOf } from "@/lib/http/client";
import type { replayWebhookContract } from "@/lib/webhooks/contract";
import type { WebhookDelivery } from "@/lib/webhooks/schema";
import { TEST_EVENT } from "@/lib/webhooks/values";

type Props = {
  deliveries: WebhookDelivery[];
  clientId: string;
  webhookId: string;
  timeZone: string;
  mayChange: boolean;
};

function useReplay(clientId: string, webhookId: string) {
  const router = useRouter();
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
    onSettled: () => router.refresh(),
  });
}

/** Has everything told again that was given up. */
export function TellFailedAgain({ clientId, webhookId }: { clientId: string; webhookId: string }) {
  const replay = useReplay(clientId, webhookId);
  return (
    <Button size="small" disabled={replay.isPending} onClick={() => replay.mutate({ failed: true })}>
      <RotateCcw aria-hidden="true" className="size-3.5" />
      Tell all of them again
    </Button>
  );
}

/** What a webhook was told and is to be told, newest first. */
export function DeliveriesTable({ deliveries, clientId, webhookId, timeZone, mayChange }: Props) {
  const replay = useReplay(clientId, webhookId);
  return (
    <Table caption="Events">
      <thead>
        <tr>
          <Head>Event</Head>
          <Head>Happened</Head>
          <Head>State</Head>
          <Head>What came back</Head>
          <Head>
            <span className="sr-only">Actions</span>
          </Head>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id}>
            <Cell>
              <span className="font-medium">{delivery.event}</span>
              <Subject delivery={delivery} clientId={clientId} />
            </Cell>
            <Cell className="whitespace-nowrap">{momentWords(delivery.happened_at, timeZone)}</Cell>
            <Cell>
              <Badge tone={deliveryWords[delivery.state].tone}>{deliveryWords[delivery.state].word}</Badge>
            </Cell>
            <Cell className="min-w-56 text-muted">{storyOf(delivery, timeZone)}</Cell>
            <Cell className="text-right">
              {mayChange && delivery.state !== "pending" && delivery.event !== TEST_EVENT && (
                <Button
                  size="small"
                  look="quiet"
                  disabled={replay.isPending}
                  onClick={() => replay.mutate({ delivery_id: delivery.id })}
                  aria-label={`Tell again: ${delivery.event} of ${delivery.subject}`}
                >
                  <RotateCcw aria-hidden="true" className="size-4" />
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

const pages: Record<string, string> = { review: "reviews", seller_review: "seller_reviews", question: "questions" };

/** What an event is about: with a link, while it is there. */
function Subject({ delivery: { event, subject }, clientId }: { delivery: WebhookDelivery; clientId: string }) {
  const [kind = "", what] = event.split(".");
  const page = what === "deleted" ? undefined : pages[kind];
  if (event === TEST_EVENT) return null;
  const className = "block w-fit font-mono text-xs text-muted";
  if (!page) return <span className={className}>{subject}</span>;
  return (
    <Link
      href={`/portal/${page}/${subject}?client_id=${encodeURIComponent(clientId)}`}
      className={`${className} hover:underline`}
    >
      {subject}
    </Link>
  );
}
