import { useTranslations } from "#messages";
import { ImportBar } from "@/components/feeds/import-bar";
import { ImportReport } from "@/components/feeds/import-report";
import { rejectReasonLabel } from "@/components/feeds/report-labels";
import { buttonClass } from "@/components/ui/button";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { FoundReport, ReviewImport } from "@/lib/transfer/imports/schema";
import { MAX_LISTED_ROWS } from "@/lib/transfer/imports/values";

/** Row numbers shown per reason; more are in the download. */
const EXAMPLES = 8;

type Props = { line: ReviewImport; report: FoundReport; skippedHref: string };

/** What a check or import found: counts, why rows are skipped, and what was corrected. */
export function FoundReportView({ line, report, skippedHref }: Props) {
  const t = useTranslations();
  // A check downloads no photos, even if the import will.
  const photosLeft = report.repairs.find(({ kind }) => kind === "pictures_left");
  const repairs = report.repairs.filter((repair) => repair !== photosLeft);
  const reasons = Object.entries(report.reasons).sort(([, one], [, other]) => other - one);
  return (
    <div className="flex flex-col gap-6">
      <div className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
        <ImportBar line={{ ...line, deleted: 0 }} large />
        {line.unchanged > 0 && !line.by_command && (
          <p className="mt-3 text-sm text-muted">{t("imports.existingHint")}</p>
        )}
        {photosLeft && !line.fetch_photos && (
          <p className="mt-3 text-sm text-muted">{t("imports.photosLeft", { n: photosLeft.count })}</p>
        )}
        {report.encoding && (
          <p className="mt-3 text-sm text-muted">{t("feeds.encoding", { encoding: report.encoding })}</p>
        )}
      </div>
      {reasons.length > 0 && (
        <section>
          <h3 className="mb-2 font-semibold">{t("feeds.skippedRows")}</h3>
          <p className="mb-2 text-sm text-muted">{t("feeds.rowNumbersHint")}</p>
          <Table caption={t("feeds.skippedRows")}>
            <Heads>
              <Head>{t("feeds.reason")}</Head>
              <Head>{t("feeds.rows")}</Head>
            </Heads>
            <Rows>
              {reasons.map(([reason, count]) => {
                const rows = report.rejected.filter((one) => one.reason === reason).slice(0, EXAMPLES);
                return (
                  <Row key={reason}>
                    <Cell>
                      {rejectReasonLabel(reason, t)}
                      {rows.length > 0 && (
                        <span className="figures block text-muted">
                          {t("imports.reasonRows", {
                            n: rows.length,
                            rows: `${rows.map(({ row }) => row.toLocaleString(t.language)).join(", ")}${count > rows.length ? " …" : ""}`,
                          })}
                        </span>
                      )}
                    </Cell>
                    <Cell className="figures">{count.toLocaleString(t.language)}</Cell>
                  </Row>
                );
              })}
            </Rows>
          </Table>
          <p className="mt-3">
            <a href={skippedHref} download className={buttonClass({ size: "small" })}>
              {t("imports.downloadSkipped")}
            </a>
          </p>
          {line.rejected > MAX_LISTED_ROWS && (
            <p className="mt-2 text-sm text-muted">{t("imports.skippedListed", { n: MAX_LISTED_ROWS })}</p>
          )}
        </section>
      )}
      {(repairs.length > 0 || report.warnings.length > 0) && (
        <ImportReport line={line} report={{ ...report, rejected: [], repairs }} />
      )}
    </div>
  );
}
