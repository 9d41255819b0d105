import { Rss } from "lucide-react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { FeedActions } from "@/components/feeds/feed-actions";
import { FeedCard } from "@/components/feeds/feed-card";
import { GoogleCard } from "@/components/feeds/google-card";
import { ImportsTable } from "@/components/feeds/imports-table";
import { isInProgress } from "@/components/feeds/labels";
import { RefreshWhile } from "@/components/feeds/use-refresh";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTranslator, titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { reviewFeedAddress } from "@/lib/display/google-feed/address";
import { listFeeds, listImports } from "@/lib/feeds/list-imports";

export const generateMetadata = () => titleMetadata("navigation.feeds");

export default async function FeedsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [t, translateNotice] = [await translations(), await noticeTranslator()];
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path: "/portal/feeds", search });
  const after = param(search, "after");
  const [feeds, { imports, next }] = await Promise.all([listFeeds(client), orNotFound(listImports(client, { after }))]);
  const timeZone = timeZoneOf(client);
  const mayChange = hasRole(actor.role, "admin");
  const reportHref = (id: string) => pathWithQuery(`/portal/feeds/${id}`, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <RefreshWhile inProgress={feeds.some(({ under_way }) => under_way) || imports.some(isInProgress)} />
      <PageHead
        title={t("navigation.feeds")}
        tools={mayChange && <FeedActions clientId={client.id} reportHref={reportHref("{id}")} />}
      >
        {t("feeds.intro")}
      </PageHead>
      {after === undefined && (
        <div className="mb-8 flex flex-col gap-3">
          {feeds.length > 0 ? (
            <ul aria-label={t("navigation.feeds")} className="flex flex-col gap-3">
              {feeds.map((feed) => (
                <FeedCard
                  key={feed.id}
                  feed={translateNoticeFields(feed, translateNotice)}
                  clientId={client.id}
                  timeZone={timeZone}
                  mayChange={mayChange}
                  reportHref={feed.last_import && reportHref(feed.last_import)}
                />
              ))}
            </ul>
          ) : (
            <div className="rounded-card border border-dashed border-line">
              <EmptyState icon={<Rss aria-hidden="true" />} title={t("feeds.emptyTitle")}>
                {mayChange ? t("feeds.emptyHint") : t("feeds.emptyHintNoAccess")}
              </EmptyState>
            </div>
          )}
          <GoogleCard address={reviewFeedAddress(client.id)} />
        </div>
      )}
      {imports.length > 0 && (
        <>
          <h2 className="mb-2 font-semibold">{t("feeds.recentImports")}</h2>
          <ImportsTable
            imports={imports.map((line) => translateNoticeFields(line, translateNotice))}
            timeZone={timeZone}
            href={reportHref}
          />
        </>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={pathWithQuery("/portal/feeds", { client_id: clientId, after: next })} className={buttonClass()}>
            {t("feeds.olderImports")}
          </Link>
        </p>
      )}
    </div>
  );
}
