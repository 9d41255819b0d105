import { decodeSegment, orNotFound, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { OrderActions } from "@/components/orders/item-actions";
import { OrderItems } from "@/components/orders/order-items";
import { PrintButton } from "@/components/orders/print-button";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-text";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole, maySeePeople } from "@/lib/accounts/actor";
import { hidesStars } from "@/lib/accounts/hides-stars";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { explainOrder } from "@/lib/invitations/explain-order";
import type { ItemAction } from "@/lib/invitations/values";
import { getOrder } from "@/lib/orders/get-order";
import { getOrderHistory } from "@/lib/orders/get-order-history";
import { dayIn } from "@/lib/platform/clock";
import { formatAmount, formatMoment } from "@/lib/platform/i18n/format";

export const generateMetadata = async ({ params }: Props) =>
  titleMetadata("common.orders", decodeSegment((await params).id));

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function OrderPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ id: segment }, search] = await Promise.all([params, searchParams]);
  const { actor, client, clientId } = await requireMember({ path: `/portal/orders/${segment}`, search });
  const id = decodeSegment(segment);
  const starsHidden = await hidesStars(actor, client.id);
  const [order, timeline, explanations] = await Promise.all([
    orNotFound(getOrder(actor, client, id)),
    getOrderHistory(client, id, { starsHidden }),
    explainOrder(client, id, t),
  ]);
  const timeZone = timeZoneOf(client);
  const { customer } = order;
  const [mayHold, mayChange] = [hasRole(actor.role, "moderator"), hasRole(actor.role, "admin")];
  const itemsFor = (...actions: ItemAction[]) =>
    order.items
      .filter(({ id }) => actions.some((action) => explanations.get(id)?.actions.includes(action)))
      .map(({ id }) => id);
  const pausableItems = itemsFor("pause", "resume");
  const holds = pausableItems.map((item) => timeline.held.find(({ item_id }) => item_id === item)?.until);
  const commonHold = new Set(holds).size === 1 ? holds[0] : undefined;
  const today = dayIn(timeZone);
  const recipient = [customer.name, customer.email].filter(Boolean).join(", ");
  const storedMails = timeline.invitations.filter(({ stored_mail }) => stored_mail !== null);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <div className="print:hidden">
        <Breadcrumbs
          trail={[{ name: t("common.orders"), href: pathWithQuery("/portal/orders", { client_id: clientId }) }]}
          current={order.id}
        />
      </div>
      <PageHead
        title={t("orders.orderTitle", { id: order.id })}
        beside={<CopyButton text={order.id} label={t("common.orderNumber")} />}
        tools={
          <div className="flex flex-wrap gap-2 print:hidden">
            {mayHold && pausableItems.length > 1 && (
              <OrderActions
                clientId={client.id}
                orderId={order.id}
                recipient={recipient}
                items={pausableItems}
                held={commonHold}
                sendable={itemsFor("send")}
                timeZone={timeZone}
                today={today}
              />
            )}
            <PrintButton />
          </div>
        }
      >
        {t("orders.receivedAt", { moment: formatMoment(order.created_at, timeZone, t.language) })}
        {order.store_name && ` · ${order.store_name}`}
        {order.value !== null && ` · ${t("orders.value", { value: formatAmount(order.value, t.language) })}`}
      </PageHead>
      {maySeePeople(actor) && (
        <section aria-labelledby="customer" className="mb-6 text-sm">
          <h2 id="customer" className="mb-1.5 flex items-center gap-2 text-base font-semibold">
            {t("common.customer")} {customer.opt_out && <Badge tone="warn">{t("orders.optedOut")}</Badge>}
          </h2>
          <p>
            {[customer.name, customer.email, customer.phone].filter(Boolean).join(", ")}
            <span className="block text-muted">
              {customer.id !== null && (
                <>
                  {t("orders.customerId", { id: customer.id })}{" "}
                  <CopyButton text={customer.id} label={t("common.customerId")} />{" "}
                </>
              )}
              {customer.lang && (customer.id === null ? customer.lang : `· ${customer.lang}`)}
            </span>
          </p>
          {!customer.email && <p className="mt-1.5 max-w-prose">{t("orders.noEmailHint")}</p>}
          {mayChange && customer.id !== null && (
            <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 print:hidden">
              <Link className="link" href={pathWithQuery("/portal/orders", { client_id: clientId, q: customer.id })}>
                {t("orders.allOfCustomer")}
              </Link>
              {/* In the fragment, which isn't sent to any server. */}
              <Link
                className="link"
                href={`${pathWithQuery("/portal/privacy", { client_id: clientId })}#customer=${encodeURIComponent(customer.id)}`}
              >
                {t("orders.viewPersonalData")}
              </Link>
            </p>
          )}
        </section>
      )}
      {mayChange && storedMails.length > 0 && (
        <section aria-labelledby="emails" className="mb-6 text-sm">
          <h2 id="emails" className="mb-1.5 text-base font-semibold">
            {t("orders.storedEmails")}
          </h2>
          <ul className="flex flex-col gap-1">
            {storedMails.map(({ id: invitation, kind, sent_at, stored_mail }) => (
              <li key={invitation}>
                <Link
                  className="link"
                  href={pathWithQuery(`/portal/mailbox/${encodeURIComponent(stored_mail ?? "")}`, {
                    client_id: clientId,
                  })}
                >
                  {t(kind === "reminder" ? "orders.openReminder" : "orders.openInvitation", {
                    moment: formatMoment(sent_at ?? order.created_at, timeZone, t.language),
                  })}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <h2 className="mb-2 font-semibold">{t("common.items")}</h2>
      {order.items.length > 0 ? (
        <OrderItems
          order={order}
          history={timeline}
          invitationsByItem={explanations}
          timeZone={timeZone}
          reviewHref={(review) => pathWithQuery(`/portal/reviews/${review}`, { client_id: clientId })}
          actions={mayHold ? { clientId: client.id, today, recipient, mayExclude: mayChange } : undefined}
        />
      ) : (
        <EmptyState title={t("common.noItems")}>{t("orders.noItems")}</EmptyState>
      )}
    </div>
  );
}
