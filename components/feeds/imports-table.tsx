import { useTranslations } from "#messages";
import { ImportBar } from "@/components/feeds/import-bar";
import { importKindLabels, importState, isInProgress } from "@/components/feeds/labels";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { ImportLine } from "@/lib/feeds/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = { imports: ImportLine[]; timeZone: string; href: (id: string) => string };

/** Imports of every kind, newest first: source, state and result. */
export function ImportsTable({ imports, timeZone, href }: Props) {
  const t = useTranslations();
  return (
    <Table caption={t("feeds.imports")} stacks>
      <Heads>
        <Head>{t("common.import")}</Head>
        <Head>{t("common.status")}</Head>
        <Head>{t("integrations.resultColumn")}</Head>
        <Head>{t("common.date")}</Head>
      </Heads>
      <Rows>
        {imports.map((line) => (
          <Row key={line.id}>
            <Cell className="max-w-72">
              <Link href={href(line.id)} className="font-medium text-accent hover:underline">
                {t(importKindLabels[line.kind])}
              </Link>
              <span className="block truncate text-muted" title={line.source}>
                {line.source}
              </span>
            </Cell>
            <Cell label={t("common.status")}>
              <State of={line} />
            </Cell>
            <Cell label={t("integrations.resultColumn")} className="max-w-80">
              {line.error ? (
                <span className="min-w-56 break-words sm:line-clamp-2 text-muted">{line.error}</span>
              ) : isInProgress(line) && line.read === 0 ? (
                <span className="text-muted">{t("feeds.notCounted")}</span>
              ) : (
                <ImportBar line={line} />
              )}
            </Cell>
            <Cell label={t("common.date")} className="figures whitespace-nowrap text-muted">
              {formatMoment(line.started_at, timeZone, t.language)}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

function State({ of: line }: { of: ImportLine }) {
  const t = useTranslations();
  const { tone, word } = importState(line);
  return <Badge tone={tone}>{t(word)}</Badge>;
}
