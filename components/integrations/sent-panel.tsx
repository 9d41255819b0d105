"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "#messages";
import { deliveryKindLabel, notSentLabels, outcomeLabels } from "@/components/integrations/delivery-labels";
import { DeliveryResult } from "@/components/integrations/delivery-result";
import { sentOptions } from "@/components/integrations/queries";
import { RetryOne } from "@/components/integrations/retry-button";
import { urlBeside } from "@/components/integrations/url-beside";
import { deliveryBadge, deliverySummary } from "@/components/integrations/webhooks/delivery-labels";
import { ResendButton } from "@/components/integrations/webhooks/resend-buttons";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { sentKinds } from "@/lib/integrations/schema";
import { messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = {
  clientId: string;
  kind: (typeof sentKinds)[number];
  id: string;
  timeZone: string;
  /** may retry failed deliveries */
  mayRetry: boolean;
};

/** An item's deliveries to other systems, with the responses. Renders nothing if no other system is connected. */
export function SentPanel({ clientId, kind, id, timeZone, mayRetry }: Props) {
  const t = useTranslations();
  const sent = useQuery(sentOptions(clientId, kind, id));
  if (sent.isPending) return null;
  if (!sent.data)
    return (
      <div className="mt-7">
        <Notice tone="bad">
          <span className="mr-3">{t("deliveries.sentLoadFailed", { message: messageOf(sent.error, t) })}</span>
          <Button size="small" onClick={() => void sent.refetch()}>
            {t("common.tryAgain")}
          </Button>
        </Notice>
      </div>
    );
  const { engagement, webhooks } = sent.data;
  if (!engagement && webhooks.length === 0) return null;
  return (
    <section aria-labelledby="sent" className="mt-7 border-t border-line pt-7 text-sm">
      <h2 id="sent" className="mb-3 font-medium">
        {t("deliveries.sentTitle")}
      </h2>
      <ul className="flex flex-col gap-3">
        {engagement?.untold && (
          <li>
            <span className="font-medium">{t("common.engagementPlatform")}.</span>{" "}
            <span className="text-muted">{t(notSentLabels[engagement.untold])}</span>
          </li>
        )}
        {engagement?.deliveries.map((delivery) => (
          <Line
            key={delivery.id}
            system={t("common.engagementPlatform")}
            what={deliveryKindLabel(delivery.kind, t)}
            state={{ ...outcomeLabels[delivery.outcome], word: t(outcomeLabels[delivery.outcome].word) }}
            at={formatMoment(delivery.at, timeZone, t.language)}
            retryButton={
              mayRetry && delivery.retry && <RetryOne kind="engagement" clientId={clientId} delivery={delivery} />
            }
          >
            <DeliveryResult delivery={delivery} timeZone={timeZone} />
          </Line>
        ))}
        {webhooks.flatMap((webhook) =>
          webhook.deliveries.map((delivery) => {
            const summary = deliverySummary(delivery, timeZone, t);
            return (
              <Line
                key={delivery.id}
                system={urlBeside(summary, webhook.url)}
                what={delivery.event}
                state={deliveryBadge(delivery, t)}
                at={formatMoment(delivery.tried_at ?? delivery.happened_at, timeZone, t.language)}
                retryButton={
                  mayRetry &&
                  delivery.state === "failed" && (
                    <ResendButton clientId={clientId} webhookId={webhook.id} delivery={delivery} />
                  )
                }
              >
                {summary}
              </Line>
            );
          }),
        )}
      </ul>
    </section>
  );
}

type LineProps = {
  system: string | null;
  what: string;
  state: { word: string; tone: Tone };
  at: string;
  retryButton: React.ReactNode;
  children: React.ReactNode;
};

function Line({ system, what, state, at, retryButton, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
      <span className="min-w-52 flex-1">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium">{what}</span>
          <Badge tone={state.tone}>{state.word}</Badge>
          <span className="text-muted">{at}</span>
        </span>
        <span className="block text-muted [overflow-wrap:anywhere]">
          {system !== null && `${system}. `}
          {children}
        </span>
      </span>
      {retryButton}
    </li>
  );
}
