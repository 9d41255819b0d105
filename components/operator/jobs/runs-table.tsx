import { useTranslations } from "#messages";
import { jobLabel } from "@/components/operator/jobs/job-labels";
import { RetryButton } from "@/components/operator/jobs/retry-button";
import { Badge, type Tone } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-text";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";

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

const states: Record<RunLine["status"], MessageKey> = {
  queued: "operations.queued",
  running: "common.running",
  waiting: "operations.queued",
  done: "privacy.completed",
  failed: "common.failed",
  cancelled: "operations.canceled",
};

export function RunsTable({ runs }: { runs: RunLine[] }) {
  const t = useTranslations();
  return (
    <Table caption={t("operations.runsTable")} stacks>
      <Heads>
        <Head>{t("operations.job")}</Head>
        <Head>{t("common.status")}</Head>
        <Head>{t("operations.error")}</Head>
        <Head>{t("operations.queued")}</Head>
        <Head>{t("operations.ended")}</Head>
      </Heads>
      <Rows>
        {runs.map((run) => (
          <Row key={run.id}>
            <Cell>
              <span className="block font-medium">{jobLabel(run.function, t)}</span>
              <span className="block font-mono text-xs whitespace-nowrap text-muted">{run.function}</span>
              <span className="block font-mono text-xs whitespace-nowrap text-muted">
                {run.id} <CopyButton text={run.id} label={t("common.id")} />
              </span>
            </Cell>
            <Cell label={t("common.status")}>
              <Badge tone={tones[run.status]}>{t(states[run.status])}</Badge>
              {run.step && <span className="mt-1 block font-mono text-xs text-muted">{run.step}</span>}
            </Cell>
            <Cell label={t("operations.error")} className="max-w-md min-w-56 break-words">
              {run.issue ?? <span className="text-muted">–</span>}
              {run.attempt > 0 && run.status !== "done" && (
                <span className="block text-xs text-muted">{t("operations.failedAttempts", { n: run.attempt })}</span>
              )}
              {run.status === "failed" && <RetryButton id={run.id} name={jobLabel(run.function, t)} />}
            </Cell>
            <Cell label={t("operations.queued")} className="figures whitespace-nowrap text-muted">
              {t("operations.timeUtc", { moment: formatMoment(run.queued_at, "UTC", t.language) })}
            </Cell>
            <Cell label={t("operations.ended")} className="figures whitespace-nowrap text-muted">
              {run.ended_at ? t("operations.timeUtc", { moment: formatMoment(run.ended_at, "UTC", t.language) }) : "–"}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
