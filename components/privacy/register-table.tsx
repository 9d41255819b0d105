import { useTranslations } from "#messages";
import { countsText } from "@/components/privacy/counts-text";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { formatMoment } from "@/lib/platform/i18n/format";

import type { RegisterEntry } from "@/lib/privacy/schema";

/** Exports and erasures of personal data: when, by whom, how much. Doesn't store whose data it was. */
export function RegisterTable({ entries, timeZone }: { entries: RegisterEntry[]; timeZone: string }) {
  const t = useTranslations();
  return (
    <Table caption={t("privacy.logCaption")} stacks>
      <Heads>
        <Head>{t("privacy.request")}</Head>
        <Head>{t("privacy.requestedBy")}</Head>
        <Head>{t("privacy.data")}</Head>
        <Head>{t("privacy.requested")}</Head>
        <Head>{t("privacy.completed")}</Head>
      </Heads>
      <Rows>
        {entries.map((entry) => (
          <Row key={entry.id}>
            <Cell className="whitespace-nowrap">
              <span className="block font-medium">
                {entry.kind === "copy" ? t("privacy.export") : t("privacy.deletion")}
              </span>
              <span className="block font-mono text-xs text-muted">{entry.id}</span>
            </Cell>
            <Cell label={t("privacy.requestedBy")} className="max-w-48 break-words">
              {entry.by ?? (
                <span className="text-muted">
                  {t(entry.by_key ? "privacy.deletedKey" : entry.by_self ? "privacy.bySelf" : "common.unknown")}
                </span>
              )}
              {entry.by && entry.by_key && <span className="block text-xs text-muted">{t("common.apiKey")}</span>}
            </Cell>
            <Cell label={t("privacy.data")} className="max-w-72 min-w-44">
              {countsText(entry.counts, t) || <span className="text-muted">{t("privacy.nothingYet")}</span>}
            </Cell>
            <Cell label={t("privacy.requested")} className="figures whitespace-nowrap text-muted">
              {(entry.requested_at ?? entry.done_at)
                ? formatMoment((entry.requested_at ?? entry.done_at) as string, timeZone, t.language)
                : "–"}
            </Cell>
            <Cell label={t("privacy.completed")} className="figures whitespace-nowrap text-muted">
              {entry.done_at ? (
                formatMoment(entry.done_at, timeZone, t.language)
              ) : (
                <Badge tone="warn">{t("common.inProgress")}</Badge>
              )}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
