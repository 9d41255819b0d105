import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { correctionLabel, rejectReasonLabel, valueIssueLabel } from "@/components/feeds/report-labels";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { ImportDetails, ImportLine } from "@/lib/feeds/schema";

type Report = NonNullable<ImportDetails["report"]>;
type Props = {
  line: Pick<ImportLine, "rejected">;
  report: Pick<Report, "rejected" | "repairs" | "warnings" | "warningCount">;
};

/** The report of an import: corrections, rejected rows, and where they are. */
export function ImportReport({ line, report }: Props) {
  const t = useTranslations();
  const { rejected, repairs, warnings, warningCount } = report;
  if (rejected.length + repairs.length + warnings.length === 0)
    return <p className="text-muted">{t("feeds.noIssues")}</p>;
  return (
    <div className="flex flex-col gap-8">
      <p className="text-sm text-muted">{t("feeds.rowNumbersHint")}</p>
      {rejected.length > 0 && (
        <Part title={t("feeds.skippedRows")} shown={rejected.length} of={line.rejected}>
          <Table caption={t("feeds.skippedRows")}>
            <Heads>
              <Head>{t("feeds.row")}</Head>
              <Head>{t("feeds.reason")}</Head>
            </Heads>
            <Rows>
              {rejected.map(({ row, reason }) => (
                <Row key={`${row} ${reason}`}>
                  <Cell className="figures w-24">{row.toLocaleString(t.language)}</Cell>
                  <Cell>{rejectReasonLabel(reason, t)}</Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </Part>
      )}
      {warnings.length > 0 && (
        <Part title={t("feeds.skippedValues")} shown={warnings.length} of={warningCount}>
          <Table caption={t("feeds.skippedValues")}>
            <Heads>
              <Head>{t("feeds.row")}</Head>
              <Head>{t("feeds.field")}</Head>
              <Head>{t("feeds.reason")}</Head>
            </Heads>
            <Rows>
              {warnings.map(({ row, field, reason, value }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two values of a row may be equal, and none moves
                <Row key={index}>
                  <Cell className="figures w-24">{row.toLocaleString(t.language)}</Cell>
                  <Cell className="font-mono text-xs">{field}</Cell>
                  <Cell>
                    {value && <span className="font-mono text-xs break-all">{value} </span>}
                    {valueIssueLabel(reason, t)}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </Part>
      )}
      {repairs.length > 0 && (
        <Part title={t("feeds.corrections")}>
          <ul className="divide-y divide-line rounded-card border border-line bg-raised text-sm shadow-raised">
            {repairs.map(({ kind, message, count, rows }) => (
              <li key={kind} className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-3">
                <span>{correctionLabel({ kind, message }, t)}</span>
                <span className="figures text-muted">
                  {[
                    count === 1 ? t("feeds.once") : t("feeds.times", { n: count }),
                    ...(rows.length > 0
                      ? [
                          t("feeds.inRows", {
                            n: rows.length,
                            rows: rows.map((row) => row.toLocaleString(t.language)).join(", "),
                          }),
                        ]
                      : []),
                  ].join(", ")}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function Part({ title, shown, of, children }: { title: string; shown?: number; of?: number; children: ReactNode }) {
  const t = useTranslations();
  return (
    <section>
      <h2 className="mb-2 font-semibold">
        {title}
        {shown !== undefined && of !== undefined && shown < of && (
          <span className="font-normal text-muted"> {t("feeds.firstOfAll", { shown, all: of })}</span>
        )}
      </h2>
      {children}
    </section>
  );
}
