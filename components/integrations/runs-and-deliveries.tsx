import { countsStory, outcomeWords, reasonWords, runWords } from "@/components/integrations/words";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";
import type { DeliveryLine, IntegrationRun } from "@/lib/integrations/schema";

/** The last runs of an integration. */
export function RunsTable({ runs, timeZone }: { runs: IntegrationRun[]; timeZone: string }) {
  return (
    <Table caption="Last runs">
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
              {error ?? (outcome === "running" ? "" : countsStory(counts))}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** What an integration sent or took over, newest first. */
export function DeliveriesTable({ deliveries, timeZone }: { deliveries: DeliveryLine[]; timeZone: string }) {
  return (
    <Table caption="What was sent and taken over">
      <thead>
        <tr>
          <Head>What</Head>
          <Head>State</Head>
          <Head>Why, or what it is called there</Head>
          <Head>When</Head>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, at, kind, subject, outcome, reason, remote_id }) => (
          <Row key={id}>
            <Cell>
              <span className="font-medium">{kind}</span>
              <span className="block font-mono text-xs break-all text-muted">{subject}</span>
            </Cell>
            <Cell>
              <Badge tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].word}</Badge>
            </Cell>
            <Cell className="min-w-56 text-muted">
              {reason ? reasonWords(reason) : <span className="font-mono text-xs break-all">{remote_id}</span>}
            </Cell>
            <Cell className="whitespace-nowrap">{momentWords(at, timeZone)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
