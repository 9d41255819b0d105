import type { ReactNode } from "react";
import { useWords } from "#words";
import { issueWords, reasonWords } from "@/components/feeds/report-words";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { ImportLine, ImportStory } from "@/lib/feeds/schema";

type Props = { line: ImportLine; report: NonNullable<ImportStory["report"]> };

/** What the reader of a file should know of it: what was mended, what was left out, and where. */
export function ImportReport({ line, report }: Props) {
  const t = useWords();
  const { rejected, repairs, warnings, warningCount } = report;
  if (rejected.length + repairs.length + warnings.length === 0)
    return <p className="text-muted">{t("Every row could be read as it was.")}</p>;
  return (
    <div className="flex flex-col gap-8">
      {rejected.length > 0 && (
        <Part title={t("Rows that were left out")} shown={rejected.length} of={line.rejected}>
          <Table caption={t("Rows that were left out")}>
            <Heads>
              <Head>{t("Row")}</Head>
              <Head>{t("Why")}</Head>
            </Heads>
            <Rows>
              {rejected.map(({ row, reason }) => (
                <Row key={`${row} ${reason}`}>
                  <Cell className="figures w-24">{row.toLocaleString(t.locale)}</Cell>
                  <Cell>{reasonWords(reason, t)}</Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </Part>
      )}
      {warnings.length > 0 && (
        <Part title={t("Values that were left out")} shown={warnings.length} of={warningCount}>
          <Table caption={t("Values that were left out")}>
            <Heads>
              <Head>{t("Row")}</Head>
              <Head>{t("Field")}</Head>
              <Head>{t("Why")}</Head>
            </Heads>
            <Rows>
              {warnings.map(({ row, field, reason, value }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two values of a row may be the same, and none ever moves
                <Row key={index}>
                  <Cell className="figures w-24">{row.toLocaleString(t.locale)}</Cell>
                  <Cell className="font-mono text-xs">{field}</Cell>
                  <Cell>
                    {value && <span className="font-mono text-xs break-all">{value} </span>}
                    {issueWords(reason, t)}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </Part>
      )}
      {repairs.length > 0 && (
        <Part title={t("What was mended")}>
          <ul className="divide-y divide-line rounded-card border border-line bg-raised text-sm shadow-raised">
            {repairs.map(({ kind, message, count, rows }) => (
              <li key={kind} className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-3">
                <span>{t(message)}</span>
                <span className="figures text-muted">
                  {[
                    count === 1 ? t("once") : t("{n} time|{n} times", { n: count }),
                    ...(rows.length > 0
                      ? [
                          t("in row {rows}|in rows {rows}", {
                            n: rows.length,
                            rows: rows.map((row) => row.toLocaleString(t.locale)).join(", "),
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
  const t = useWords();
  return (
    <section>
      <h2 className="mb-2 font-semibold">
        {title}
        {shown !== undefined && of !== undefined && shown < of && (
          <span className="font-normal text-muted"> {t("(the first {shown} of {all})", { shown, all: of })}</span>
        )}
      </h2>
      {children}
    </section>
  );
}
