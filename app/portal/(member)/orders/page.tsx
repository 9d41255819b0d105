import { Package, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { address, found, param, requireMember, type Search } from "@/app/_guard";
import { OrdersTable } from "@/components/orders/orders-table";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { maySeePeople } from "@/lib/auth/actor";
import { timeZoneOf } from "@/lib/clients/get-client";
import { listRecentOrders } from "@/lib/orders/list-recent-orders";

export const metadata: Metadata = { title: "Orders" };

export default async function OrdersPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ here: "/portal/orders", search });
  const q = param(search, "q")?.trim() || undefined;
  const { orders, next, by } = await found(listRecentOrders(actor, client, { q, after: param(search, "after") }));
  const people = maySeePeople(actor);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title="Orders"
        tools={
          <SearchForm
            action="/portal/orders"
            name="q"
            label={people ? "Order, customer, e-mail or SKU" : "Order or SKU"}
            value={q}
            keep={{ client_id: clientId }}
          />
        }
      >
        {q && by === "sku" && orders.length > 0
          ? `Orders that hold the SKU ${q}, newest first.`
          : "Newest first. Each delivered item can become a review."}
      </PageHead>
      {orders.length > 0 ? (
        <OrdersTable
          orders={orders}
          timeZone={timeZoneOf(client)}
          href={(id) => address(`/portal/orders/${encodeURIComponent(id)}`, { client_id: clientId })}
        />
      ) : q ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title="No order fits"
          action={
            <Link href={address("/portal/orders", { client_id: clientId })} className={buttonClass()}>
              Show all orders
            </Link>
          }
        >
          {people
            ? "The search takes an order’s or customer’s id, an e-mail address or a SKU, written in full."
            : "The search takes an order’s id or a SKU, written in full."}
        </EmptyState>
      ) : (
        <EmptyState icon={<Package aria-hidden="true" />} title="No orders yet">
          They come in by <code className="font-mono text-sm text-ink">POST /v1/orders</code>. Once an item is
          delivered, its customer is asked for a review.
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={address("/portal/orders", { client_id: clientId, q, after: next })} className={buttonClass()}>
            Older orders
          </Link>
        </p>
      )}
    </div>
  );
}
