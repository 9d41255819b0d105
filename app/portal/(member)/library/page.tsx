import { MessagesSquare, SearchX } from "lucide-react";
import { Suspense } from "react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { emptyStateActions } from "@/app/portal/(member)/_empty-state-actions";
import { countLabels, emptyTexts } from "@/components/moderation/library/labels";
import { LibraryFilters } from "@/components/moderation/library/library-filters";
import { LibraryList } from "@/components/moderation/library/library-list";
import { LibraryTabs } from "@/components/moderation/library/library-tabs";
import { LibraryViews } from "@/components/moderation/library/library-views";
import { PageLinks } from "@/components/moderation/library/page-links";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole, maySeePeople } from "@/lib/accounts/actor";
import { hidesStars } from "@/lib/accounts/hides-stars";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { listBrands, listCategories } from "@/lib/catalog/products/list-brands";
import { countLibraryRows, listLibrary, readableFilter, scopeOf } from "@/lib/moderation/library/list-library";
import { recentPeriods } from "@/lib/moderation/library/recent-periods";
import { hasConditions, type LibraryFilter, libraryQuery, readLibraryFilter } from "@/lib/moderation/library/values";
import { listFrequentReasons } from "@/lib/moderation/rejections/list-frequent-reasons";
import { listOwnViews } from "@/lib/moderation/saved-views";
import { dayIn } from "@/lib/platform/clock";
import { formatMonth } from "@/lib/platform/i18n/format";

export const generateMetadata = () => titleMetadata("common.reviews");

const path = "/portal/library";

export default async function LibraryPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search });
  // Without scripts, the form sends one `stars` for each checkbox.
  const asked = readLibraryFilter((name) => (name === "stars" ? [search[name]].flat().join("") : param(search, name)));
  const [filter, starsHidden] = await Promise.all([readableFilter(actor, client, asked), hidesStars(actor, client.id)]);
  const after = param(search, "after");
  const scope = await scopeOf(actor, client, filter);
  const [{ items, next }, views, brands, categories, frequentReasons] = await Promise.all([
    orNotFound(listLibrary(actor, client, scope, after)),
    listOwnViews(actor, client, "library"),
    listBrands(client.id),
    listCategories(client.id),
    listFrequentReasons(client),
  ]);
  const href = (changed: Partial<LibraryFilter>, more: { after?: string | undefined } = {}) =>
    pathWithQuery(path, {
      ...Object.fromEntries(libraryQuery({ ...filter, ...changed })),
      client_id: clientId,
      ...more,
    });
  const periods = recentPeriods(dayIn(timeZoneOf(client))).map(({ from, to, ...period }) => ({
    ...{ from, to },
    name: "month" in period ? formatMonth(period.month, t.language) : t("library.lastDays", { n: period.days }),
  }));
  const isFiltered = hasConditions(filter) || after !== undefined;
  return (
    <div className="mx-auto max-w-7xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("common.reviews")}
        tools={
          <LibraryViews
            path={path}
            clientId={client.id}
            clientParam={clientId}
            filter={filter}
            own={views.map(({ id, name, query }) => ({ id, name, query }))}
          />
        }
      >
        {t("library.intro")}
      </PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <LibraryTabs current={filter.kind} clientId={clientId} filter={filter} />
        <p className="text-sm text-muted" role="status">
          <Suspense fallback={t("library.counting")} key={libraryQuery(filter).toString()}>
            <Total client={client} scope={scope} />
          </Suspense>
        </p>
      </div>
      <LibraryFilters
        path={path}
        clientId={clientId}
        filter={filter}
        brands={brands}
        categories={categories}
        periods={periods}
        starsHidden={starsHidden}
      />
      <LibraryList
        key={href({}, { after })}
        clientId={client.id}
        shop={client.display_name}
        filter={filter}
        items={items}
        canDecide={hasRole(actor.role, "moderator")}
        frequentReasons={frequentReasons}
        clientParam={clientId}
        dateSorting={{
          current: filter.sort === "newest" ? "descending" : filter.sort === "oldest" ? "ascending" : undefined,
          href: href({ sort: filter.sort === "newest" ? "oldest" : "newest" }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchX aria-hidden="true" />}
              title={t("queue.noResults")}
              action={
                <Link href={pathWithQuery(path, { client_id: clientId, kind: filter.kind })} className={buttonClass()}>
                  {t("queue.clearFilters")}
                </Link>
              }
            >
              {filter.q
                ? t(maySeePeople(actor) ? "library.noResultsSearchHint" : "library.noResultsSearchHintLimited")
                : t("queue.noResultsFilterHint")}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<MessagesSquare aria-hidden="true" />}
              title={t(emptyTexts[filter.kind].title)}
              action={emptyStateActions(actor, clientId, t)?.[filter.kind]}
            >
              {t(emptyTexts[filter.kind].hint)}
            </EmptyState>
          )
        }
      />
      <PageLinks first={after && href({})} next={next && href({}, { after: next })} />
    </div>
  );
}

/** Counted after the page is sent: a filter may match many rows. */
async function Total({ client, scope }: { client: ClientRow; scope: Awaited<ReturnType<typeof scopeOf>> }) {
  const t = await translations();
  const { count, capped } = await countLibraryRows(client, scope);
  return capped ? t("library.capped", { n: count }) : t(countLabels[scope.filter.kind], { n: count });
}
