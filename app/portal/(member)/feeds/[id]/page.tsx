import { cache } from "react";
import { decodeSegment, orNotFound, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { ConfirmDeletions } from "@/components/feeds/confirm-deletions";
import { ImportBar } from "@/components/feeds/import-bar";
import { ImportReport } from "@/components/feeds/import-report";
import { importState, importTitles, isInProgress } from "@/components/feeds/labels";
import { RefreshWhile } from "@/components/feeds/use-refresh";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { hasRole } from "@/lib/accounts/actor";
import { namedMetadata, noticeTranslator, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getImport } from "@/lib/feeds/list-imports";
import { formatCount, formatMoment } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const loadImport = cache(getImport);

export const generateMetadata = ({ params, searchParams }: Props) =>
  namedMetadata("navigation.feeds", async () => {
    const { client } = await requireMember({ path: "/portal/feeds", search: await searchParams });
    const { kind } = await loadImport(client, decodeSegment((await params).id));
    return (await translations())(importTitles[kind]);
  });

export default async function ImportPage({ params, searchParams }: Props) {
  const [t, translateNotice] = [await translations(), await noticeTranslator()];
  const [{ id: segment }, search] = await Promise.all([params, searchParams]);
  const { actor, client, clientId } = await requireMember({ path: `/portal/feeds/${segment}`, search });
  const importRow = translateNoticeFields(
    await orNotFound(loadImport(client, decodeSegment(segment))),
    translateNotice,
  );
  const timeZone = timeZoneOf(client);
  const isRunning = isInProgress(importRow);
  const state = importState(importRow);
  const feedsHref = pathWithQuery("/portal/feeds", { client_id: clientId });
  const reportHref = pathWithQuery("/portal/feeds/{id}", { client_id: clientId });
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <RefreshWhile inProgress={isRunning} />
      <Breadcrumbs
        trail={[{ name: t("navigation.feeds"), href: feedsHref }]}
        current={t(importTitles[importRow.kind])}
      />
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            {t(importTitles[importRow.kind])}
            <Badge tone={state.tone}>{t(state.word)}</Badge>
          </span>
        }
      >
        {t.rich("feeds.sourceStarted", {
          source: <span className="break-all">{importRow.source}</span>,
          moment: formatMoment(importRow.started_at, timeZone, t.language),
        })}
        {importRow.finished_at && `, ${formatDuration(importRow.started_at, importRow.finished_at, t)}`}
      </PageHead>
      {importRow.error && (
        <div className="mb-6">
          <Notice tone={importRow.status === "failed" ? "bad" : "warn"}>
            <p className="break-words">{importRow.error}</p>
            {importRow.confirm && hasRole(actor.role, "admin") && (
              <ConfirmDeletions
                confirm={importRow.confirm}
                clientId={client.id}
                feedsHref={feedsHref}
                reportHref={reportHref}
              />
            )}
          </Notice>
        </div>
      )}
      {importRow.report?.incomplete && (
        <div className="mb-6">
          <Notice tone="warn">
            {translateNotice([{ reason: importRow.report.incomplete_reason, message: importRow.report.incomplete }])}{" "}
            {t("feeds.incompleteHint")}
          </Notice>
        </div>
      )}
      {isRunning && <p className="text-muted">{t("feeds.readingHint")}</p>}
      {importRow.report && (
        <>
          <section
            aria-label={t("feeds.rows")}
            className="mb-8 rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5"
          >
            <p className="figures mb-3 text-muted">
              {t.rich("feeds.rowsRead", {
                n: importRow.read,
                count: (
                  <span className="text-2xl font-semibold text-ink">{formatCount(importRow.read, t.language)}</span>
                ),
              })}
            </p>
            <ImportBar line={importRow} large />
            {importRow.report.encoding && (
              <p className="mt-3 text-sm text-muted">{t("feeds.encoding", { encoding: importRow.report.encoding })}</p>
            )}
          </section>
          <ImportReport line={importRow} report={importRow.report} />
        </>
      )}
    </div>
  );
}

function formatDuration(from: string, to: string, t: Translate): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 2) return t("feeds.tookMoment");
  return seconds < 120
    ? t("feeds.tookSeconds", { n: seconds })
    : t("feeds.tookMinutes", { n: Math.round(seconds / 60) });
}
