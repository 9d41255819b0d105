"use client";

import { useTranslations } from "#messages";
import { BaseDeliveriesTable } from "@/components/integrations/base-deliveries-table";
import { deliveryKindLabel, outcomeLabels } from "@/components/integrations/delivery-labels";
import { DeliveryResult } from "@/components/integrations/delivery-result";
import { runOutcomeLabels } from "@/components/integrations/labels";
import { RetryAll, RetryOne } from "@/components/integrations/retry-button";
import { formatCounts, formatProgress } from "@/components/integrations/run-labels";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { DeliveryLine, Integration, IntegrationRun } from "@/lib/integrations/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

export function RunsTable({ runs, timeZone }: { runs: IntegrationRun[]; timeZone: string }) {
  const t = useTranslations();
  return (
    <Table caption={t("integrations.runsTable")} stacks>
      <Heads>
        <Head>{t("integrations.startedColumn")}</Head>
        <Head>{t("common.status")}</Head>
        <Head>{t("integrations.resultColumn")}</Head>
      </Heads>
      <Rows>
        {runs.map(({ id, started_at, outcome, counts, error, warning }) => (
          <Row key={id}>
            <Cell className="whitespace-nowrap">{formatMoment(started_at, timeZone, t.language)}</Cell>
            <Cell label={t("common.status")}>
              <Badge tone={runOutcomeLabels[outcome].tone}>{t(runOutcomeLabels[outcome].word)}</Badge>
            </Cell>
            <Cell label={t("integrations.resultColumn")} className="min-w-56 break-words text-muted">
              {error ?? (outcome === "running" ? formatProgress(counts, t) : formatCounts(counts, t))}
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
  /** may retry deliveries */
  mayRetry: boolean;
};

/** An integration's deliveries and imported records, newest first. */
export function IntegrationDeliveriesTable({ deliveries, kind, clientId, timeZone, mayRetry }: Props) {
  const t = useTranslations();
  const canRetry = mayRetry && deliveries.some(({ retry }) => retry);
  return (
    <>
      {canRetry && deliveries.some(({ outcome }) => outcome === "failed") && (
        <div className="mb-3">
          <RetryAll kind={kind} clientId={clientId} />
        </div>
      )}
      <BaseDeliveriesTable
        caption={t("integrations.activityTable")}
        headings={{
          label: t("integrations.recordColumn"),
          response: t("integrations.detailsColumn"),
          at: t("common.date"),
        }}
        canRetry={canRetry}
        rows={deliveries.map((delivery) => ({
          id: delivery.id,
          label: deliveryKindLabel(delivery.kind, t),
          subject: { id: delivery.subject, href: pageOf(delivery, clientId) },
          state: { ...outcomeLabels[delivery.outcome], word: t(outcomeLabels[delivery.outcome].word) },
          response: <DeliveryResult delivery={delivery} timeZone={timeZone} />,
          at: formatMoment(delivery.at, timeZone, t.language),
          retryButton: mayRetry && delivery.retry && <RetryOne kind={kind} clientId={clientId} delivery={delivery} />,
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

/** The page of a delivery's subject; null if it has none. */
function pageOf({ kind, subject }: DeliveryLine, clientId: string): string | null {
  const page = pages[kind];
  return page ? `${page}/${encodeURIComponent(subject)}?client_id=${encodeURIComponent(clientId)}` : null;
}
