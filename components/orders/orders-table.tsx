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
          <Head>Items</Head>
          <Head>Delivered</Head>
          <Head>Review</Head>
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
            </Cell>
            <Cell className="max-w-56">
              <span className="block truncate">{order.customer?.name ?? order.customer?.id ?? "Hidden"}</span>
              <span className="block truncate text-muted">{order.customer?.email}</span>
            </Cell>
            <Cell className="max-w-72">
              <span className="block truncate">{order.first_item ?? "None"}</span>
              {order.item_count > 1 && <span className="text-muted">and {order.item_count - 1} more</span>}
            </Cell>
            <Cell className="whitespace-nowrap">
              {order.delivery_date ? dayWords(order.delivery_date) : <span className="text-muted">Not known</span>}
            </Cell>
            <Cell className="whitespace-nowrap">
              {order.review_count > 0 ? (
                <Badge tone="good">{order.review_count === 1 ? "1 review" : `${order.review_count} reviews`}</Badge>
              ) : order.invited_at ? (
                <Badge tone="accent">Asked</Badge>
              ) : (
                <span className="text-muted">Not asked yet</span>
              )}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
