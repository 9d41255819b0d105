import { useTranslations } from "#messages";
import { reasonLabels } from "@/components/invitations/labels";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { type ColumnSorting, SortableHead } from "@/components/ui/sortable-head";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { NotInvitedReason } from "@/lib/invitations/rules";
import type { OrderLine } from "@/lib/orders/schema";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = {
  orders: OrderLine[];
  /** why there is no invitation, by order id */
  notInvited: ReadonlyMap<string, NotInvitedReason>;
  timeZone: string;
  /** today in the client's time zone */
  today: string;
  href: (id: string) => string;
  /** expected days of invitations, by order id */
  planned?: ReadonlyMap<string, string>;
  /** columns by which the list is sorted, or can be */
  sorting?: Partial<Record<SortableColumn, ColumnSorting>>;
};

type SortableColumn = "number" | "received" | "delivery";

/** Reasons not to invite, as row labels and names of filters. */
export const notInvitedLabels: Record<NotInvitedReason, MessageKey> = {
  ...reasonLabels,
  not_reviewable: "orders.notInCatalog",
  excluded: "orders.excluded",
  failed: "orders.emailFailed",
};

export function OrdersTable({ orders, notInvited, timeZone, today, href, planned, sorting = {} }: Props) {
  const t = useTranslations();
  return (
    <Table caption={t("common.orders")} stacks>
      <Heads>
        <SortableHead sorting={sorting.number}>{t("common.order")}</SortableHead>
        <SortableHead sorting={sorting.received}>{t("orders.received")}</SortableHead>
        <Head>{t("common.customer")}</Head>
        <Head>{t("common.items")}</Head>
        <SortableHead sorting={sorting.delivery}>{t("orders.delivery")}</SortableHead>
        <Head>{t("common.invitation")}</Head>
      </Heads>
      <Rows>
        {orders.map((order) => (
          <Row key={order.id}>
            <Cell className="whitespace-nowrap">
              <Link href={href(order.id)} className="font-medium text-accent hover:underline">
                {order.id}
              </Link>
            </Cell>
            <Cell label={t("orders.received")} className="figures whitespace-nowrap text-muted">
              {formatMoment(order.created_at, timeZone, t.language)}
            </Cell>
            <Cell label={t("common.customer")} className="max-w-56">
              <span className="block truncate">{order.customer?.name ?? order.customer?.id ?? t("common.hidden")}</span>
              <span className="block truncate text-muted">{order.customer?.email}</span>
            </Cell>
            <Cell label={t("common.items")} className="max-w-72">
              <span className="block truncate">{order.first_item ?? t("orders.none")}</span>
              {order.item_count > 1 && (
                <span className="text-muted">{t("common.andMore", { n: order.item_count - 1 })}</span>
              )}
            </Cell>
            <Cell label={t("orders.delivery")} className="whitespace-nowrap">
              {order.delivery_date ? (
                <>
                  {formatDay(order.delivery_date, t.language)}
                  {order.delivery_date > today && <span className="block text-muted">{t("orders.expected")}</span>}
                </>
              ) : (
                <span className="text-muted">{t("orders.unknown")}</span>
              )}
            </Cell>
            <Cell label={t("common.invitation")} className="whitespace-nowrap">
              <InvitationStatus order={order} why={notInvited.get(order.id)} planned={planned?.get(order.id)} />
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

type StatusProps = { order: OrderLine; why: NotInvitedReason | undefined; planned: string | undefined };

/** Whether an invitation was sent and its result, when it is expected, or why there is none. */
function InvitationStatus({ order, why, planned }: StatusProps) {
  const t = useTranslations();
  if (planned) return t("orders.plannedOn", { day: formatDay(planned, t.language) });
  if (order.review_count > 0) return <Badge tone="good">{t("common.reviewCount", { n: order.review_count })}</Badge>;
  if (order.invited_at) return <Badge tone="accent">{t("orders.invited")}</Badge>;
  if (why) return <span className="block max-w-48 whitespace-normal text-muted">{t(notInvitedLabels[why])}</span>;
  return <span className="text-muted">{t("orders.notInvited")}</span>;
}
