import { ChartColumn } from "lucide-react";
import { param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { AnalyticsCharts } from "@/components/insights/analytics/analytics-charts";
import { AnalyticsFigures } from "@/components/insights/analytics/analytics-figures";
import { AnalyticsFilters } from "@/components/insights/analytics/analytics-filters";
import { AnalyticsGroups } from "@/components/insights/analytics/analytics-groups";
import { AnalyticsTopics } from "@/components/insights/analytics/analytics-topics";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listBrands, listCategories } from "@/lib/catalog/products/list-brands";
import { getAnalytics } from "@/lib/insights/analytics/get-analytics";
import { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { filterNames } from "@/lib/insights/analytics/values";
import { formatDay } from "@/lib/platform/i18n/format";

export const generateMetadata = () => titleMetadata("navigation.analytics");

const path = "/portal/analytics";
const defaults = AnalyticsQuery.parse({});

export default async function AnalyticsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { client, clientId } = await requireMember({ path, search });
  const asked = AnalyticsQuery.parse(
    Object.fromEntries(Object.keys(AnalyticsQuery.shape).map((name) => [name, param(search, name)])),
  );
  // Without a comparison there is no change to sort by.
  const query = asked.compare === "none" && asked.sort === "change" ? { ...asked, sort: defaults.sort } : asked;
  const [analytics, brands, categories] = await Promise.all([
    getAnalytics(client, query),
    listBrands(client.id),
    listCategories(client.id),
  ]);
  const { range, total, compared, timesSince, emailsSince } = analytics;
  const href = (changed: Partial<AnalyticsQuery>) => {
    const next = { ...query, ...changed };
    const given = Object.entries(next).filter(
      ([name, value]) => value !== undefined && value !== defaults[name as keyof AnalyticsQuery],
    );
    return pathWithQuery(path, { ...Object.fromEntries(given), client_id: clientId });
  };
  const days = (of: { from: string; to: string }) => ({
    from: formatDay(of.from, t.language),
    to: formatDay(of.to, t.language),
  });
  const listHref = (more: Record<string, string | undefined>) =>
    pathWithQuery("/portal/library", {
      ...Object.fromEntries(filterNames.map((name) => [name, query[name]])),
      ...range,
      ...more,
      client_id: clientId,
    });
  const withoutFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]));
  const isFiltered = filterNames.some((name) => query[name] !== undefined);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead title={t("navigation.analytics")}>
        {compared
          ? t("analytics.introCompared", { ...days(range), ...before(days(compared)) })
          : t("analytics.intro", days(range))}
      </PageHead>
      <AnalyticsFilters
        path={path}
        clientId={clientId}
        query={query}
        range={range}
        brands={brands}
        categories={categories}
        clearHref={isFiltered ? href(withoutFilters) : null}
      />
      {total.received === 0 && !total.emails?.sent ? (
        <EmptyState
          icon={<ChartColumn aria-hidden="true" />}
          title={t("analytics.emptyTitle")}
          action={
            <Link
              href={isFiltered ? href(withoutFilters) : pathWithQuery("/portal/orders", { client_id: clientId })}
              className={buttonClass()}
            >
              {isFiltered ? t("queue.clearFilters") : t("analytics.viewOrders")}
            </Link>
          }
        >
          {isFiltered ? t("analytics.emptyFilteredText") : t("analytics.emptyText")}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          {timesSince !== null && (
            <Notice>{t("analytics.timesSince", { day: formatDay(timesSince, t.language) })}</Notice>
          )}
          {emailsSince !== null && (
            <Notice>{t("analytics.emailsSince", { day: formatDay(emailsSince, t.language) })}</Notice>
          )}
          <AnalyticsFigures total={total} before={compared?.total ?? null} />
          <AnalyticsCharts analytics={analytics} />
          <AnalyticsTopics topics={analytics.topics} href={(q) => listHref({ q, status: "accepted" })} />
          <AnalyticsGroups
            analytics={analytics}
            query={query}
            href={href}
            csvHref={pathWithQuery("/portal/api/v1/analytics/csv", { ...query, client_id: client.id })}
            listHref={listHref}
          />
        </div>
      )}
    </div>
  );
}

const before = ({ from, to }: { from: string; to: string }) => ({ fromBefore: from, toBefore: to });
