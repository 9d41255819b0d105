import { useTranslations } from "#messages";
import { actionLabel, detailsText } from "@/components/accounts/audit-labels";
import type { ClientName } from "@/components/accounts/client-choice";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { AuditLine } from "@/lib/accounts/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = { lines: AuditLine[]; clients: readonly ClientName[]; timeZone: string };

export function AuditTable({ lines, clients, timeZone }: Props) {
  const t = useTranslations();
  const storeName = (id: string) => clients.find((client) => client.id === id)?.display_name ?? id;
  return (
    <Table caption={t("navigation.auditLog")} stacks>
      <Heads>
        <Head>{t("common.date")}</Head>
        <Head>{t("audit.who")}</Head>
        <Head>{t("common.event")}</Head>
        <Head>{t("audit.details")}</Head>
      </Heads>
      <Rows>
        {lines.map((line) => (
          <Row key={line.id}>
            <Cell className="figures whitespace-nowrap text-muted">{formatMoment(line.at, timeZone, t.language)}</Cell>
            <Cell label={t("audit.who")} className="max-w-48 break-words">
              {line.by ?? <span className="text-muted">{t("common.unknown")}</span>}
              {line.by_kind === "key" && <span className="block text-xs text-muted">{t("common.apiKey")}</span>}
            </Cell>
            <Cell label={t("common.event")} className="min-w-40">
              <span className="block font-medium">{actionLabel(line.action, t)}</span>
              {line.subject_name && line.subject !== line.by_id && (
                <span className="block max-w-56 break-words text-muted">{line.subject_name}</span>
              )}
              {line.whole_account && <Badge>{t("audit.entireAccount")}</Badge>}
            </Cell>
            <Cell label={t("audit.details")} className="max-w-96 min-w-44 break-words text-muted">
              {detailsText(line, { timeZone, storeName }, t)}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
