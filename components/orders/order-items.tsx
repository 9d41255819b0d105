import Link from "next/link";
import { outlookWords } from "@/components/orders/words";
import { statusOf, statusTone, statusWords } from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { Stars } from "@/components/ui/stars";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { dayWords, momentWords } from "@/components/ui/time";
import type { Order, OrderStory } from "@/lib/orders/schema";

type Props = {
  order: Order;
  story: OrderStory;
  outlook: ReadonlyMap<string, Parameters<typeof outlookWords>[0]>;
  today: string;
  timeZone: string;
  reviewHref: (id: string) => string;
};

/** The items of an order: what they are, and what becomes of each. */
export function OrderItems({ order, story, outlook, today, timeZone, reviewHref }: Props) {
  return (
    <Table caption="Items">
      <thead>
        <tr>
          <Head>Item</Head>
          <Head className="max-sm:hidden">Delivered</Head>
          <Head>Invitation</Head>
          <Head>Review</Head>
        </tr>
      </thead>
      <tbody>
        {order.items.map((item) => {
          const asked = story.invitations.findLast(({ item_ids }) => item_ids.includes(item.id));
          const reviews = story.reviews.filter(({ product_id }) => product_id === item.id);
          const expected = outlook.get(item.id);
          return (
            <Row key={item.id}>
              <Cell className="max-w-80 min-w-40 sm:min-w-48">
                <span className="block font-medium break-words">{item.name ?? item.id}</span>
                <span className="block text-muted">
                  {item.id}
                  {item.family_id !== item.id && `, family ${item.family_id}`}
                </span>
                {item.category && <span className="block text-muted">{item.category}</span>}
                {item.delivery_date && (
                  <span className="block text-muted sm:hidden">Delivered {dayWords(item.delivery_date)}</span>
                )}
              </Cell>
              <Cell className="whitespace-nowrap max-sm:hidden">
                {item.delivery_date ? dayWords(item.delivery_date) : <span className="text-muted">Not known</span>}
              </Cell>
              <Cell className="max-w-80 min-w-44 sm:min-w-56">
                {asked?.sent_at ? (
                  <>
                    Asked on {momentWords(asked.sent_at, timeZone)}.
                    {asked.clicked_at && ` The link was opened on ${momentWords(asked.clicked_at, timeZone)}.`}
                  </>
                ) : asked?.status === "failed" ? (
                  "The mail could not be sent."
                ) : asked ? (
                  "The mail is on its way."
                ) : (
                  expected && outlookWords(expected, today)
                )}
              </Cell>
              <Cell className="whitespace-nowrap">
                {reviews.length === 0 && <span className="text-muted">None</span>}
                {reviews.map((review) => (
                  <Link
                    key={review.id}
                    href={reviewHref(review.id)}
                    className="flex min-h-6 items-center gap-2 py-0.5 hover:underline"
                  >
                    <Stars score={review.score} />
                    <Badge tone={statusTone[statusOf(review.accepted)]}>{statusWords[statusOf(review.accepted)]}</Badge>
                  </Link>
                ))}
              </Cell>
            </Row>
          );
        })}
      </tbody>
    </Table>
  );
}
