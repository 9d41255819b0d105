import { Package, SearchX } from "lucide-react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { OrdersTable } from "@/components/orders/orders-table";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole, maySeePeople } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { notInvitedReasons } from "@/lib/invitations/not-invited-reasons";
import { type FoundBy, listPortalOrders, MAX_FOUND } from "@/lib/orders/list-portal-orders";
import { dayIn } from "@/lib/platform/clock";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("common.orders");

function introOf(by: FoundBy, q: string, t: Translate): string {
  if (by === "sku") return t("orders.introBySku", { q });
  if (by === "start") return t("orders.introByStart", { q });
  return by === "words" ? t("orders.introByWords", { q, n: MAX_FOUND }) : t("orders.intro");
}

export default async function OrdersPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path: "/portal/orders", search });
  const q = param(search, "q")?.trim() || undefined;
  const { orders, next, by } = await orNotFound(listPortalOrders(actor, client, { q, after: param(search, "after") }));
  const openOrders = orders.filter(({ invited_at, review_count }) => invited_at === null && review_count === 0);
  const notInvited = await notInvitedReasons(
    client,
    openOrders.map(({ id }) => id),
  );
  const people = maySeePeople(actor);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("common.orders")}
        tools={
          <SearchForm
            action="/portal/orders"
            name="q"
            label={people ? t("orders.searchLabel") : t("orders.searchLabelLimited")}
            value={q}
            hiddenFields={{ client_id: clientId }}
          />
        }
      >
        {q && orders.length > 0 ? introOf(by, q, t) : t("orders.intro")}
      </PageHead>
      {orders.length > 0 ? (
        <OrdersTable
          orders={orders}
          notInvited={notInvited}
          timeZone={timeZoneOf(client)}
          today={dayIn(timeZoneOf(client))}
          href={(id) => pathWithQuery(`/portal/orders/${encodeURIComponent(id)}`, { client_id: clientId })}
        />
      ) : q ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={t("orders.noResultsTitle")}
          action={
            <Link href={pathWithQuery("/portal/orders", { client_id: clientId })} className={buttonClass()}>
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
          <Link
            href={pathWithQuery("/portal/orders", { client_id: clientId, q, after: next })}
            className={buttonClass()}
          >
            {by === "start" ? t("orders.moreOrders") : t("orders.olderOrders")}
          </Link>
        </p>
      )}
    </div>
  );
}
