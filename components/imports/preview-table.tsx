import { useTranslations } from "#messages";
import { rejectReasonLabel } from "@/components/feeds/report-labels";
import { Badge, type Tone } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { formatDay } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { PreviewRow } from "@/lib/transfer/imports/schema";

const statuses: Record<NonNullable<PreviewRow["status"]>, { word: MessageKey; tone: Tone }> = {
  accepted: { word: "common.published", tone: "good" },
  pending: { word: "common.pending", tone: "warn" },
  rejected: { word: "common.rejected", tone: "bad" },
};

/** The first rows of a file as they would become reviews. */
export function PreviewTable({ rows }: { rows: PreviewRow[] }) {
  const t = useTranslations();
  return (
    <Table caption={t("imports.preview")} stacks>
      <Heads>
        <Head>{t("feeds.row")}</Head>
        <Head>{t("common.text")}</Head>
        <Head>{t("common.product")}</Head>
        <Head>{t("common.name")}</Head>
        <Head>{t("common.status")}</Head>
      </Heads>
      <Rows>
        {rows.map((row) => (
          <Row key={row.row}>
            <Cell label={t("feeds.row")} className="figures text-muted">
              {row.row}
            </Cell>
            {row.reason === null ? (
              <PreviewCells row={row} />
            ) : (
              <Cell colSpan={4} className="text-muted">
                {t("imports.skippedAs", { reason: rejectReasonLabel(row.reason, t) })}
              </Cell>
            )}
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

function PreviewCells({ row }: { row: PreviewRow }) {
  const t = useTranslations();
  const status = statuses[row.status ?? "pending"];
  return (
    <>
      <Cell className="max-w-md min-w-56 break-words">
        {row.score !== null && <p className="figures">{t("common.scoreOfStars", { score: row.score, of: 5 })}</p>}
        {row.title && <p className="font-medium">{row.title}</p>}
        {row.text && <p className="line-clamp-3 whitespace-pre-line">{row.text}</p>}
        {!row.title && !row.text && <p className="text-muted">{t("common.noText")}</p>}
      </Cell>
      <Cell label={t("common.product")} className="max-w-56 break-words">
        {row.product ?? "–"}
        {row.in_catalog === false && <span className="block text-muted">{t("imports.notInCatalog")}</span>}
      </Cell>
      <Cell label={t("common.name")} className="break-words">
        {row.author ?? t("common.anonymous")}
        {row.date && <span className="figures block text-muted">{formatDay(row.date, t.language)}</span>}
      </Cell>
      <Cell label={t("common.status")}>
        <Badge tone={status.tone}>{t(status.word)}</Badge>
      </Cell>
    </>
  );
}
