"use client";

import { useWords } from "#words";
import { ExchangesTable } from "@/components/integrations/exchanges-table";
import { RetryAll, RetryOne } from "@/components/integrations/retry-button";
import { countsStory, progressStory } from "@/components/integrations/run-words";
import { WhatCameBack } from "@/components/integrations/what-came-back";
import { deliveryWords, outcomeWords, runWords } from "@/components/integrations/words";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";
import type { DeliveryLine, Integration, IntegrationRun } from "@/lib/integrations/schema";

export function RunsTable({ runs, timeZone }: { runs: IntegrationRun[]; timeZone: string }) {
  const t = useWords();
  return (
    <Table caption={t("Runs")} stacks>
      <Heads>
        <Head>{t("Begun")}</Head>
        <Head>{t("State")}</Head>
        <Head>{t("What came of it")}</Head>
      </Heads>
      <Rows>
        {runs.map(({ id, started_at, outcome, counts, error, warning }) => (
          <Row key={id}>
            <Cell className="whitespace-nowrap">{momentWords(started_at, timeZone, t.locale)}</Cell>
            <Cell label={t("State")}>
              <Badge tone={runWords[outcome].tone}>{t(runWords[outcome].word)}</Badge>
            </Cell>
            <Cell label={t("What came of it")} className="min-w-56 break-words text-muted">
              {error ?? (outcome === "running" ? progressStory(counts, t) : countsStory(counts, t))}
              {warning && <p>{warning}</p>}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

type Props = {
  deliveries: DeliveryLine[];
  kind: Integration["kind"];
  clientId: string;
  timeZone: string;
  /** may have them tried again */
  mayRetry: boolean;
};

/** What an integration sent or took over, newest first. */
export function DeliveriesTable({ deliveries, kind, clientId, timeZone, mayRetry }: Props) {
  const t = useWords();
  const canRetry = mayRetry && deliveries.some(({ retry }) => retry);
  return (
    <>
      {canRetry && deliveries.some(({ outcome }) => outcome === "failed") && (
        <div className="mb-3">
          <RetryAll kind={kind} clientId={clientId} />
        </div>
      )}
      <ExchangesTable
        caption={t("Deliveries")}
        heads={{ what: t("What"), at: t("When") }}
        canRepeat={canRetry}
        exchanges={deliveries.map((delivery) => ({
          id: delivery.id,
          what: deliveryWords(delivery.kind, t),
          subject: { id: delivery.subject, href: pageOf(delivery, clientId) },
          state: { ...outcomeWords[delivery.outcome], word: t(outcomeWords[delivery.outcome].word) },
          cameBack: <WhatCameBack delivery={delivery} timeZone={timeZone} />,
          at: momentWords(delivery.at, timeZone, t.locale),
          again: mayRetry && delivery.retry && <RetryOne kind={kind} clientId={clientId} delivery={delivery} />,
        }))}
      />
    </>
  );
}

const pages: Record<string, string> = {
  interaction: "/portal/reviews",
  attributes: "/portal/reviews",
  order: "/portal/orders",
};

/** The page of what a delivery is about, where it has one here. */
function pageOf({ kind, subject }: DeliveryLine, clientId: string): string | null {
  const page = pages[kind];
  return page ? `${page}/${encodeURIComponent(subject)}?client_id=${encodeURIComponent(clientId)}` : null;
}
