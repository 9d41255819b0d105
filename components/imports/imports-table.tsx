import { useTranslations } from "#messages";
import { ImportBar } from "@/components/feeds/import-bar";
import { hasResult, kindLabels, layoutLabel, statusLabel } from "@/components/imports/labels";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { ReviewImport } from "@/lib/transfer/imports/schema";

type Props = { imports: ReviewImport[]; timeZone: string; href: (id: string) => string };

/** Imports of reviews, newest first: file, state and result. */
export function ReviewImportsTable({ imports, timeZone, href }: Props) {
  const t = useTranslations();
  return (
    <Table caption={t("navigation.imports")} stacks>
      <Heads>
        <Head>{t("common.file")}</Head>
        <Head>{t("common.status")}</Head>
        <Head>{t("integrations.resultColumn")}</Head>
        <Head>{t("common.date")}</Head>
      </Heads>
      <Rows>
        {imports.map((line) => {
          const { word, tone } = statusLabel(line);
          return (
            <Row key={line.id}>
              <Cell className="max-w-72">
                <Link href={href(line.id)} className="font-medium break-words text-accent hover:underline">
                  {line.filename}
                </Link>
                <span className="block text-muted">
                  {t("imports.source", { layout: layoutLabel(line.layout, t), kind: t(kindLabels[line.kind]) })}
                </span>
              </Cell>
              <Cell label={t("common.status")}>
                <Badge tone={tone}>{t(word)}</Badge>
              </Cell>
              <Cell label={t("integrations.resultColumn")} className="max-w-80">
                {line.error ? (
                  <span className="min-w-56 break-words text-muted sm:line-clamp-2">{line.error}</span>
                ) : hasResult(line) ? (
                  <ImportBar line={{ ...line, deleted: 0 }} />
                ) : (
                  <span className="text-muted">{t("feeds.notCounted")}</span>
                )}
              </Cell>
              <Cell label={t("common.date")} className="figures whitespace-nowrap text-muted">
                {formatMoment(line.created_at, timeZone, t.language)}
              </Cell>
            </Row>
          );
        })}
      </Rows>
    </Table>
  );
}
