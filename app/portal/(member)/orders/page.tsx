import { Package, SearchX } from "lucide-react";
import { address, found, param, requireMember, type Search } from "@/app/_guard";
import { OrdersTable } from "@/components/orders/orders-table";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole, maySeePeople } from "@/lib/accounts/actor";
import { titled, translations } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { outlookOfOrders } from "@/lib/invitations/outlook-of-orders";
import { listRecentOrders } from "@/lib/orders/list-recent-orders";
import { dayIn } from "@/lib/platform/clock";

export const generateMetadata = () => titled("common.orders");

export default async function OrdersPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ here: "/portal/orders", search });
  const q = param(search, "q")?.trim() || undefined;
  const { orders, next, by } = await found(listRecentOrders(actor, client, { q, after: param(search, "after") }));
  const open = orders.filter(({ invited_at, review_count }) => invited_at === null && review_count === 0);
  const notAsked = await outlookOfOrders(
    client,
    open.map(({ id }) => id),
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
            keep={{ client_id: clientId }}
          />
        }
      >
        {q && by === "sku" && orders.length > 0 ? t("orders.introBySku", { q }) : t("orders.intro")}
      </PageHead>
      {orders.length > 0 ? (
        <OrdersTable
          orders={orders}
          notAsked={notAsked}
          timeZone={timeZoneOf(client)}
          today={dayIn(timeZoneOf(client))}
          href={(id) => address(`/portal/orders/${encodeURIComponent(id)}`, { client_id: clientId })}
        />
      ) : q ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={t("orders.noResultsTitle")}
          action={
            <Link href={address("/portal/orders", { client_id: clientId })} className={buttonClass()}>
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
                  href={address("/portal/integrations", { client_id: clientId })}
                  className={buttonClass({ look: "primary" })}
                >
                  {t("orders.connectStore")}
                </Link>
                <Link href={address("/portal/feeds", { client_id: clientId })} className={buttonClass()}>
                  {t("orders.importFeed")}
                </Link>
                <Link href={address("/portal", { client_id: clientId })} className={buttonClass()}>
                  {t("home.testOrderStep")}
                </Link>
                <a href="/docs" className={buttonClass({ look: "quiet" })}>
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
          <Link href={address("/portal/orders", { client_id: clientId, q, after: next })} className={buttonClass()}>
            {t("orders.olderOrders")}
          </Link>
        </p>
      )}
    </div>
  );
}
