"use client";

import { ExchangesTable } from "@/components/integrations/exchanges-table";
import { RetryAll, RetryOne } from "@/components/integrations/retry-button";
import {
  countsStory,
  deliveryWords,
  outcomeWords,
  progressStory,
  reasonWords,
  runWords,
} from "@/components/integrations/words";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";
import type { DeliveryLine, Integration, IntegrationRun } from "@/lib/integrations/schema";

/** The last runs of an integration. */
export function RunsTable({ runs, timeZone }: { runs: IntegrationRun[]; timeZone: string }) {
  return (
    <Table caption="Runs" stacks>
      <thead>
        <tr>
          <Head>Begun</Head>
          <Head>State</Head>
          <Head>What came of it</Head>
        </tr>
      </thead>
      <tbody>
        {runs.map(({ id, started_at, outcome, counts, error }) => (
          <Row key={id}>
            <Cell className="whitespace-nowrap">{momentWords(started_at, timeZone)}</Cell>
            <Cell label="State">
              <Badge tone={runWords[outcome].tone}>{runWords[outcome].word}</Badge>
            </Cell>
            <Cell label="What came of it" className="min-w-56 break-words text-muted">
              {error ?? (outcome === "running" ? progressStory(counts) : countsStory(counts))}
            </Cell>
          </Row>
        ))}
      </tbody>
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
  const canRetry = mayRetry && deliveries.some(({ retry }) => retry);
  return (
    <>
      {canRetry && deliveries.some(({ outcome }) => outcome === "failed") && (
        <div className="mb-3">
          <RetryAll kind={kind} clientId={clientId} />
        </div>
      )}
      <ExchangesTable
        caption="Deliveries"
        heads={{ what: "What", at: "When" }}
        canRepeat={canRetry}
        exchanges={deliveries.map((delivery) => ({
          id: delivery.id,
          what: deliveryWords(delivery.kind),
          subject: { id: delivery.subject, href: pageOf(delivery, clientId) },
          state: outcomeWords[delivery.outcome],
          cameBack: <WhatCameBack delivery={delivery} timeZone={timeZone} />,
          at: momentWords(delivery.at, timeZone),
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

/** What comes from the other system, and is asked for, not sent. */
const takenOver = ["order", "order_refused"];

/** Why it is as it is, what the other system said, what it is called there, and when it is tried next. */
export function WhatCameBack({ delivery, timeZone }: { delivery: DeliveryLine; timeZone: string }) {
  const { kind, outcome, reason, said, remote_id, attempts, due_at } = delivery;
  if (outcome === "pending" && takenOver.includes(kind))
    return attempts > 0 ? "It is asked for again." : "It is being taken over.";
  const words = said ?? (reason && reasonWords(reason));
  const tried = attempts > 1 && outcome !== "sent" && outcome !== "imported" ? ` Tried ${attempts} times.` : "";
  if (outcome === "pending" && reason === null && attempts > 0) return "It is being sent.";
  const next = outcome === "pending" && due_at && attempts > 0 ? ` Next try ${momentWords(due_at, timeZone)}.` : "";
  if (outcome !== "sent" && outcome !== "imported" && (words || tried || next))
    return <span className="break-words">{`${words ?? ""}${tried}${next}`.trim()}</span>;
  if (remote_id)
    return (
      <>
        Known there as <span className="font-mono text-xs break-all">{remote_id}</span>
      </>
    );
  return outcome === "pending" ? "Not tried yet." : null;
}
