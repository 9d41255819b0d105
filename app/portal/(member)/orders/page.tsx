import { Package, SearchX } from "lucide-react";
import { type Member, orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { OrderFilters, type OrdersQuery } from "@/components/orders/order-filters";
import { OrdersTable } from "@/components/orders/orders-table";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole, maySeePeople } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { listOrdersInvitedSoon, listOrdersNotInvited, MAX_SCANNED } from "@/lib/invitations/list-orders-by-invitation";
import { notInvitedReasons } from "@/lib/invitations/not-invited-reasons";
import type { NotInvitedReason } from "@/lib/invitations/rules";
import { type FilterReason, filterReasons, invitationFilters, SOON_DAYS, soonSorts } from "@/lib/invitations/values";
import { type FoundBy, listPortalOrders, MAX_FOUND } from "@/lib/orders/list-portal-orders";
import type { OrderLine } from "@/lib/orders/schema";
import { type OrderSort, orderSorts } from "@/lib/orders/values";
import { dayIn } from "@/lib/platform/clock";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("common.orders");

function introOf(by: FoundBy, q: string, t: Translate): string {
  if (by === "sku") return t("orders.introBySku", { q });
  if (by === "start") return t("orders.introByStart", { q });
  return by === "words" ? t("orders.introByWords", { q, n: MAX_FOUND }) : t("orders.intro");
}

const path = "/portal/orders";

const isOneOf = <T extends string>(known: readonly T[], given: string | undefined): given is T =>
  known.includes(given as T);

/** The filter and sort of an address; unknown values count as absent. A search has no filter. */
function readOrdersQuery(search: Search, isSearch: boolean): OrdersQuery {
  const [given, why, by] = [param(search, "invitation"), param(search, "reason"), param(search, "sort")];
  const invitation = !isSearch && isOneOf(invitationFilters, given) ? given : undefined;
  const reason = invitation === "none" && isOneOf(filterReasons, why) ? why : undefined;
  if (invitation === "soon") return { invitation, reason, sort: isOneOf(soonSorts, by) ? by : "soonest" };
  return { invitation, reason, sort: isOneOf(orderSorts, by) ? by : defaultSort(reason) };
}

/** The orders whose window is over are the oldest ones. */
const defaultSort = (reason: FilterReason | undefined): OrderSort => (reason === "too_late" ? "oldest" : "newest");

type Listed = {
  orders: OrderLine[];
  next: string | null;
  by: FoundBy;
  notInvited: ReadonlyMap<string, NotInvitedReason>;
  planned?: ReadonlyMap<string, Day>;
};

async function listOrders(
  { actor, client }: Pick<Member, "actor" | "client">,
  { invitation, reason, sort }: OrdersQuery,
  { q, after }: { q: string | undefined; after: string | undefined },
): Promise<Listed> {
  const scope = { actor, client, after };
  if (invitation === "soon") {
    const { details, ...page } = await listOrdersInvitedSoon(scope, sort === "latest" ? sort : "soonest");
    return { ...page, by: "exact", notInvited: new Map(), planned: details };
  }
  const orderSort = isOneOf(orderSorts, sort) ? sort : "newest";
  if (invitation === "none") {
    const { details, ...page } = await listOrdersNotInvited(scope, orderSort, reason ?? null);
    return { ...page, by: "exact", notInvited: details };
  }
  const page = await listPortalOrders(actor, client, { q, after, sort: orderSort });
  const open = page.orders.filter(({ invited_at, review_count }) => invited_at === null && review_count === 0);
  const notInvited = await notInvitedReasons(
    client,
    open.map(({ id }) => id),
  );
  return { ...page, notInvited };
}

export default async function OrdersPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search });
  const q = param(search, "q")?.trim() || undefined;
  const query = readOrdersQuery(search, q !== undefined);
  const { invitation, sort } = query;
  const { orders, next, by, notInvited, planned } = await orNotFound(
    listOrders({ actor, client }, query, { q, after: param(search, "after") }),
  );
  const href = (changed: Partial<OrdersQuery>, more: { q?: string; after?: string } = {}) => {
    const wanted = { ...query, ...changed };
    // A sort of another filter doesn't apply.
    const sorts: readonly string[] = wanted.invitation === "soon" ? soonSorts : orderSorts;
    const usual = wanted.invitation === "soon" ? "soonest" : defaultSort(wanted.reason);
    return pathWithQuery(path, {
      client_id: clientId,
      invitation: wanted.invitation,
      reason: wanted.reason,
      sort: sorts.includes(wanted.sort) && wanted.sort !== usual ? wanted.sort : undefined,
      ...more,
    });
  };
  const column = (ascending: OrdersQuery["sort"], descending: OrdersQuery["sort"], first = ascending) => ({
    current: sort === ascending ? ("ascending" as const) : sort === descending ? ("descending" as const) : undefined,
    href: href({ sort: sort === ascending ? descending : sort === descending ? ascending : first }),
  });
  const sorting =
    q !== undefined
      ? {}
      : invitation === "soon"
        ? { delivery: column("soonest", "latest") }
        : { number: column("number", "number_desc"), received: column("oldest", "newest", "newest") };
  const intro =
    invitation === "soon"
      ? t("orders.introSoon", { n: SOON_DAYS })
      : invitation === "none"
        ? t("orders.introNone")
        : q && orders.length > 0
          ? introOf(by, q, t)
          : t("orders.intro");
  const people = maySeePeople(actor);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("common.orders")}
        tools={
          <SearchForm
            action={path}
            name="q"
            label={people ? t("orders.searchLabel") : t("orders.searchLabelLimited")}
            value={q}
            hiddenFields={{ client_id: clientId }}
          />
        }
      >
        {intro}
      </PageHead>
      <OrderFilters
        action={path}
        clientId={clientId}
        query={query}
        isSearch={q !== undefined}
        href={(changed) => href(changed)}
      />
      {orders.length > 0 ? (
        <OrdersTable
          orders={orders}
          notInvited={notInvited}
          timeZone={timeZoneOf(client)}
          today={dayIn(timeZoneOf(client))}
          href={(id) => pathWithQuery(`${path}/${encodeURIComponent(id)}`, { client_id: clientId })}
          sorting={sorting}
          {...(planned && { planned })}
        />
      ) : invitation ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={next ? t("orders.noneSoFar") : t("orders.noneFiltered")}
          action={
            <Link href={pathWithQuery(path, { client_id: clientId })} className={buttonClass()}>
              {t("orders.showAll")}
            </Link>
          }
        >
          {next ? t("orders.searchMore", { n: MAX_SCANNED }) : t("orders.noneFilteredHint")}
        </EmptyState>
      ) : q ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={t("orders.noResultsTitle")}
          action={
            <Link href={pathWithQuery(path, { client_id: clientId })} className={buttonClass()}>
              {t("orders.showAll")}
            </Link>
          }
        >
          {people ? t("orders.searchHint") : t("orders.searchHintLimited")}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<Package aria-hidden="true" />}
          title={t("orders.emptyTitle")}
          action={
            hasRole(actor.role, "admin") && (
              <>
                <Link
                  href={pathWithQuery("/portal/integrations", { client_id: clientId })}
                  className={buttonClass({ variant: "primary" })}
                >
                  {t("orders.connectStore")}
                </Link>
                <Link href={pathWithQuery("/portal/feeds", { client_id: clientId })} className={buttonClass()}>
                  {t("orders.addFeed")}
                </Link>
                <Link href={pathWithQuery("/portal/setup", { client_id: clientId })} className={buttonClass()}>
                  {t("orders.createTestOrder")}
                </Link>
                <a href="/docs" className={buttonClass({ variant: "quiet" })}>
                  {t("orders.useApi")}
                </a>
              </>
            )
          }
        >
          {t("orders.emptyText")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={href({}, { after: next, ...(q && { q }) })} className={buttonClass()}>
            {t("orders.moreOrders")}
          </Link>
        </p>
      )}
    </div>
  );
}
