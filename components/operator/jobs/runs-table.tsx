import { useWords } from "#words";
import { RetryButton } from "@/components/operator/jobs/retry-button";
import { Badge, type Tone } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";

export type RunLine = {
  id: string;
  function: string;
  status: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled";
  step: string | null;
  attempt: number;
  issue: string | null;
  queued_at: string;
  ended_at: string | null;
};

const tones: Record<RunLine["status"], Tone> = {
  queued: "plain",
  running: "accent",
  waiting: "plain",
  done: "good",
  failed: "bad",
  cancelled: "plain",
};

const states: Record<RunLine["status"], string> = {
  queued: "Queued",
  running: "At work",
  waiting: "Waits",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

export function RunsTable({ runs }: { runs: RunLine[] }) {
  const t = useWords();
  return (
    <Table caption={t("Job runs")} stacks>
      <Heads>
        <Head>{t("Job")}</Head>
        <Head>{t("State")}</Head>
        <Head>{t("What was wrong")}</Head>
        <Head>{t("Queued")}</Head>
        <Head>{t("Ended")}</Head>
      </Heads>
      <Rows>
        {runs.map((run) => (
          <Row key={run.id}>
            <Cell className="whitespace-nowrap">
              <span className="block font-medium">{run.function}</span>
              <span className="block font-mono text-xs text-muted">{run.id}</span>
            </Cell>
            <Cell label={t("State")}>
              <Badge tone={tones[run.status]}>{t(states[run.status])}</Badge>
              {run.step && <span className="mt-1 block text-xs text-muted">{t("at {step}", { step: run.step })}</span>}
            </Cell>
            <Cell label={t("What was wrong")} className="max-w-md min-w-56 break-words">
              {run.issue ?? <span className="text-muted">–</span>}
              {run.attempt > 0 && run.status !== "done" && (
                <span className="block text-xs text-muted">
                  {t("{n} attempt failed|{n} attempts failed", { n: run.attempt })}
                </span>
              )}
              {run.status === "failed" && <RetryButton id={run.id} name={run.function} />}
            </Cell>
            <Cell label={t("Queued")} className="figures whitespace-nowrap text-muted">
              {t("{moment} UTC", { moment: momentWords(run.queued_at, "UTC", t.locale) })}
            </Cell>
            <Cell label={t("Ended")} className="figures whitespace-nowrap text-muted">
              {run.ended_at ? t("{moment} UTC", { moment: momentWords(run.ended_at, "UTC", t.locale) }) : "–"}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
