import { useWords } from "#words";
import { reasonWords } from "@/components/invitations/words";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { dayWords, momentWords } from "@/components/ui/time";
import type { NotAsked } from "@/lib/invitations/rules";
import type { OrderLine } from "@/lib/orders/schema";

type Props = {
  orders: OrderLine[];
  /** why nobody will be asked, by order id */
  notAsked: ReadonlyMap<string, NotAsked>;
  timeZone: string;
  /** the day that it is in the client's time zone */
  today: string;
  href: (id: string) => string;
};

const notAskedWords: Record<NotAsked, string> = { ...reasonWords, failed: "Its mail was not taken" };

export function OrdersTable({ orders, notAsked, timeZone, today, href }: Props) {
  const t = useWords();
  return (
    <Table caption={t("Orders")} stacks>
      <Heads>
        <Head>{t("Order")}</Head>
        <Head>{t("Customer")}</Head>
        <Head>{t("Items")}</Head>
        <Head>{t("Delivery")}</Head>
        <Head>{t("Review")}</Head>
      </Heads>
      <Rows>
        {orders.map((order) => (
          <Row key={order.id}>
            <Cell className="whitespace-nowrap">
              <Link href={href(order.id)} className="font-medium text-accent hover:underline">
                {order.id}
              </Link>
              <span className="figures block text-muted">{momentWords(order.created_at, timeZone, t.locale)}</span>
            </Cell>
            <Cell label={t("Customer")} className="max-w-56">
              <span className="block truncate">{order.customer?.name ?? order.customer?.id ?? t("Hidden")}</span>
              <span className="block truncate text-muted">{order.customer?.email}</span>
            </Cell>
            <Cell label={t("Items")} className="max-w-72">
              <span className="block truncate">{order.first_item ?? t("None")}</span>
              {order.item_count > 1 && (
                <span className="text-muted">{t("and {others} more", { others: order.item_count - 1 })}</span>
              )}
            </Cell>
            <Cell label={t("Delivery")} className="whitespace-nowrap">
              {order.delivery_date ? (
                <>
                  {dayWords(order.delivery_date, t.locale)}
                  {order.delivery_date > today && <span className="block text-muted">{t("Expected")}</span>}
                </>
              ) : (
                <span className="text-muted">{t("Not known")}</span>
              )}
            </Cell>
            <Cell label={t("Review")} className="whitespace-nowrap">
              <Asked order={order} why={notAsked.get(order.id)} />
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

/** Whether somebody was asked, and what came of it; if nobody will be, why. */
function Asked({ order, why }: { order: OrderLine; why: NotAsked | undefined }) {
  const t = useWords();
  if (order.review_count > 0)
    return <Badge tone="good">{t("{n} review|{n} reviews", { n: order.review_count })}</Badge>;
  if (order.invited_at) return <Badge tone="accent">{t("Asked")}</Badge>;
  if (why) return <span className="block max-w-48 whitespace-normal text-muted">{t(notAskedWords[why])}</span>;
  return <span className="text-muted">{t("Not asked yet")}</span>;
}
