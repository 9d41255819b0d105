"use client";

import Link from "next/link";
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
    <Table caption="Runs">
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
            <Cell>
              <Badge tone={runWords[outcome].tone}>{runWords[outcome].word}</Badge>
            </Cell>
            <Cell className="min-w-56 break-words text-muted">
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
      <Table caption="Deliveries">
        <thead>
          <tr>
            <Head>What</Head>
            <Head>State</Head>
            <Head>What came back</Head>
            <Head>When</Head>
            {canRetry && (
              <Head>
                <span className="sr-only">Actions</span>
              </Head>
            )}
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <Row key={delivery.id}>
              <Cell>
                <span className="font-medium">{deliveryWords(delivery.kind)}</span>
                <Subject delivery={delivery} clientId={clientId} />
              </Cell>
              <Cell>
                <Badge tone={outcomeWords[delivery.outcome].tone}>{outcomeWords[delivery.outcome].word}</Badge>
              </Cell>
              <Cell className="min-w-56 text-muted">
                <WhatCameBack delivery={delivery} timeZone={timeZone} />
              </Cell>
              <Cell className="whitespace-nowrap">{momentWords(delivery.at, timeZone)}</Cell>
              {canRetry && (
                <Cell className="text-right">
                  {delivery.retry && <RetryOne kind={kind} clientId={clientId} delivery={delivery} />}
                </Cell>
              )}
            </Row>
          ))}
        </tbody>
      </Table>
    </>
  );
}

const pages: Record<string, string> = {
  interaction: "/portal/reviews",
  attributes: "/portal/reviews",
  order: "/portal/orders",
};

/** What a delivery is about: with a link, where it has a page here. */
function Subject({ delivery: { kind, subject }, clientId }: { delivery: DeliveryLine; clientId: string }) {
  const page = pages[kind];
  const className = "block w-fit font-mono text-xs break-all text-muted";
  if (!page) return <span className={className}>{subject}</span>;
  return (
    <Link
      href={`${page}/${encodeURIComponent(subject)}?client_id=${encodeURIComponent(clientId)}`}
      className={`${className} hover:underline`}
    >
      {subject}
    </Link>
  );
}

/** Why it is as it is, what the other system said, what it is called there, and when it is tried next. */
export function WhatCameBack({ delivery, timeZone }: { delivery: DeliveryLine; timeZone: string }) {
  const { outcome, reason, said, remote_id, attempts, due_at } = delivery;
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
