import { address, found, requireMember, type Search, segment } from "@/app/_guard";
import { ConfirmDeletions } from "@/components/feeds/confirm-deletions";
import { ImportBar } from "@/components/feeds/import-bar";
import { ImportReport } from "@/components/feeds/import-report";
import { RefreshWhile } from "@/components/feeds/use-refresh";
import { importState, importWords, isUnderWay } from "@/components/feeds/words";
import { translateTrouble } from "@/components/integrations/translate-trouble";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTexts, titled, translations } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getImport } from "@/lib/feeds/list-imports";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titled("common.import");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function ImportPage({ params, searchParams }: Props) {
  const [t, say] = [await translations(), await noticeTexts()];
  const [{ id: given }, search] = await Promise.all([params, searchParams]);
  const { actor, client, clientId } = await requireMember({ here: `/portal/feeds/${given}`, search });
  const line = translateTrouble(await found(getImport(client, segment(given))), say);
  const timeZone = timeZoneOf(client);
  const underWay = isUnderWay(line);
  const state = importState(line);
  const feedsHref = address("/portal/feeds", { client_id: clientId });
  const reportHref = address("/portal/feeds/{id}", { client_id: clientId });
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <RefreshWhile underWay={underWay} />
      <p className="mb-4 text-sm">
        <Link className="link" href={feedsHref}>
          {t("feeds.allFeeds")}
        </Link>
      </p>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            {t(importWords[line.kind])}
            <Badge tone={state.tone}>{t(state.word)}</Badge>
          </span>
        }
      >
        {t.rich("feeds.sourceStarted", {
          source: <span className="break-all">{line.source}</span>,
          moment: formatMoment(line.started_at, timeZone, t.locale),
        })}
        {line.finished_at && `, ${lasting(line.started_at, line.finished_at, t)}`}
      </PageHead>
      {line.error && (
        <div className="mb-6">
          <Notice tone={line.status === "failed" ? "bad" : "warn"}>
            <p className="break-words">{line.error}</p>
            {line.confirm && hasRole(actor.role, "admin") && (
              <ConfirmDeletions
                confirm={line.confirm}
                clientId={client.id}
                feedsHref={feedsHref}
                reportHref={reportHref}
              />
            )}
          </Notice>
        </div>
      )}
      {line.report?.incomplete && (
        <div className="mb-6">
          <Notice tone="warn">
            {say([{ reason: line.report.incomplete_reason, message: line.report.incomplete }])}{" "}
            {t("feeds.incompleteHint")}
          </Notice>
        </div>
      )}
      {underWay && <p className="text-muted">{t("feeds.readingHint")}</p>}
      {line.report && (
        <>
          <section
            aria-label={t("feeds.rows")}
            className="mb-8 rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5"
          >
            <p className="figures mb-3 text-2xl font-semibold">
              {line.read.toLocaleString(t.locale)}{" "}
              <span className="text-base font-normal text-muted">{t("feeds.rowsRead")}</span>
            </p>
            <ImportBar line={line} large />
            {line.report.encoding && (
              <p className="mt-3 text-sm text-muted">{t("feeds.encoding", { encoding: line.report.encoding })}</p>
            )}
          </section>
          <ImportReport line={line} report={line.report} />
        </>
      )}
    </div>
  );
}

function lasting(from: string, to: string, t: Translate): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 2) return t("feeds.tookMoment");
  return seconds < 120
    ? t("feeds.tookSeconds", { n: seconds })
    : t("feeds.tookMinutes", { n: Math.round(seconds / 60) });
}
