import { useWords } from "#words";
import { countWords } from "@/components/privacy/words";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";
import type { RegisterEntry } from "@/lib/privacy/schema";

/** What was done about personal data: when, by whom, how much; whose is kept nowhere. */
export function RegisterTable({ entries, timeZone }: { entries: RegisterEntry[]; timeZone: string }) {
  const t = useWords();
  return (
    <Table caption={t("Register of requests")} stacks>
      <Heads>
        <Head>{t("Request")}</Head>
        <Head>{t("Asked for by")}</Head>
        <Head>{t("What it was about")}</Head>
        <Head>{t("Asked§request")}</Head>
        <Head>{t("Done")}</Head>
      </Heads>
      <Rows>
        {entries.map((entry) => (
          <Row key={entry.id}>
            <Cell className="whitespace-nowrap">
              <span className="block font-medium">{entry.kind === "copy" ? t("Copy handed out") : t("Removal")}</span>
              <span className="block font-mono text-xs text-muted">{entry.id}</span>
            </Cell>
            <Cell label={t("Asked for by")} className="max-w-48 break-words">
              {entry.by ?? (
                <span className="text-muted">{entry.by_key ? t("A key that is gone") : t("Not known any more")}</span>
              )}
              {entry.by && entry.by_key && <span className="block text-xs text-muted">{t("key")}</span>}
            </Cell>
            <Cell label={t("What it was about")} className="max-w-72 min-w-44">
              {countWords(entry.counts, t) || <span className="text-muted">{t("Nothing yet")}</span>}
            </Cell>
            <Cell label={t("Asked§request")} className="figures whitespace-nowrap text-muted">
              {(entry.requested_at ?? entry.done_at)
                ? momentWords((entry.requested_at ?? entry.done_at) as string, timeZone, t.locale)
                : "–"}
            </Cell>
            <Cell label={t("Done")} className="figures whitespace-nowrap text-muted">
              {entry.done_at ? (
                momentWords(entry.done_at, timeZone, t.locale)
              ) : (
                <Badge tone="warn">{t("Under way")}</Badge>
              )}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
