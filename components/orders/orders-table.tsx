import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { dayWords, momentWords } from "@/components/ui/time";
import type { OrderLine } from "@/lib/orders/schema";

type Props = { orders: OrderLine[]; timeZone: string; href: (id: string) => string };

export function OrdersTable({ orders, timeZone, href }: Props) {
  return (
    <Table caption="Orders">
      <thead>
        <tr>
          <Head>Order</Head>
          <Head>Customer</Head>
          <Head className="max-sm:hidden">Items</Head>
          <Head className="max-sm:hidden">Delivered</Head>
          <Head className="max-sm:hidden">Review</Head>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <Row key={order.id}>
            <Cell className="whitespace-nowrap">
              <Link href={href(order.id)} className="font-medium text-accent hover:underline">
                {order.id}
              </Link>
              <span className="figures block text-muted">{momentWords(order.created_at, timeZone)}</span>
              <span className="mt-1 block sm:hidden">
                <Asked order={order} />
              </span>
            </Cell>
            <Cell className="max-w-40 sm:max-w-56">
              <span className="block truncate">{order.customer?.name ?? order.customer?.id ?? "Hidden"}</span>
              <span className="block truncate text-muted">{order.customer?.email}</span>
            </Cell>
            <Cell className="max-w-72 max-sm:hidden">
              <span className="block truncate">{order.first_item ?? "None"}</span>
              {order.item_count > 1 && <span className="text-muted">and {order.item_count - 1} more</span>}
            </Cell>
            <Cell className="whitespace-nowrap max-sm:hidden">
              {order.delivery_date ? dayWords(order.delivery_date) : <span className="text-muted">Not known</span>}
            </Cell>
            <Cell className="whitespace-nowrap max-sm:hidden">
              <Asked order={order} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** Whether somebody was asked, and what came of it. */
function Asked({ order }: { order: OrderLine }) {
  if (order.review_count > 0)
    return <Badge tone="good">{order.review_count === 1 ? "1 review" : `${order.review_count} reviews`}</Badge>;
  if (order.invited_at) return <Badge tone="accent">Asked</Badge>;
  return <span className="text-muted">Not asked yet</span>;
}
