import { LINK_DAYS } from "@/lib/invitations/rules";
import { postOrder } from "@/lib/orders/post-order";
import { dayIn, now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import { catalog } from "@/lib/tools/demo/catalog";

const DAY = 86_400_000;
const INVITATION_COUNT = 40;
/** Hours between an email and its review. */
const HOURS_UNTIL_REVIEW = 5.3;
const firstNames = ["Alva", "Bruno", "Clara", "David", "Elin", "Felix", "Greta", "Hugo"];
const lastNames = ["Berg", "Keller", "Moreau", "Santos", "Ek"];

type SourceReview = { id: string; product_id: string | null; author: string; author_email: string; created_at: Date };

/**
 * Orders of the last weeks with invitations and their outcomes, so that the demo's funnel and orders look like those of
 * an established store. Emails with a response are linked to existing reviews, some of the oldest and some of the
 * newest, so that items in the queue show their order. Each seller review has its own email. The result is the same at
 * every start.
 */
export async function addPastInvitations(clientId: string): Promise<void> {
  const { rows: reviews } = await pool().query<SourceReview>(
    `select id, product_id, author, author_email, created_at from reviews
      where client_id = $1 and source = 'invitation' and created_at > now() - interval '28 days'
      order by created_at, id`,
    [clientId],
  );
  const { rows: sellerReviews } = await pool().query<SourceReview>(
    `select id, null as product_id, author, author_email, created_at from seller_reviews
      where client_id = $1 and source = 'invitation' order by created_at, id`,
    [clientId],
  );
  const rows = [];
  for (let n = 0; n < INVITATION_COUNT + sellerReviews.length; n += 1) {
    const sellerReview = sellerReviews[n - INVITATION_COUNT];
    // Of ten emails one bounces, six are opened, four lead to the form, two to a review.
    const outcome = sellerReview ? 0 : (n * 3) % 10;
    const review = sellerReview ?? (outcome === 0 ? reviews.pop() : outcome === 1 ? reviews.shift() : undefined);
    const sent = review
      ? new Date(review.created_at.getTime() - HOURS_UNTIL_REVIEW * 3_600_000)
      : new Date(now().getTime() - (1 + ((n * 7) % 29)) * DAY);
    const at = (hours: number) => new Date(sent.getTime() + hours * 3_600_000).toISOString();
    const delivered = dayIn("UTC", new Date(sent.getTime() - 7 * DAY));
    const name = review?.author ?? `${firstNames[n % firstNames.length]} ${lastNames[n % lastNames.length]}`;
    const email = review?.author_email ?? `customer${n + 1}@customers.example`;
    const [order_id, customer_id] = [`FF-09${String(n + 10)}`, `C-${n + 201}`];
    const item_id = review?.product_id ?? catalog[(n * 5) % catalog.length]?.id ?? "";
    await postOrder(
      { id: clientId },
      { id: order_id, customer: { id: customer_id, name, email }, items: [{ id: item_id, delivery_date: delivered }] },
    );
    rows.push({
      review_id: sellerReview ? null : (review?.id ?? null),
      seller_review_id: sellerReview?.id ?? null,
      id: newId("inv"),
      order_id,
      item_id,
      customer_id,
      email,
      email_key: emailKey(email),
      hashes: [personHash(clientId, "customer", customer_id), personHash(clientId, "email", email)],
      name,
      day: dayIn("UTC", sent),
      ordered: at(-12 * 24),
      sent: at(0),
      expires: at(LINK_DAYS * 24),
      delivered: outcome === 9 ? null : at(0.02),
      bounced: outcome === 9 ? at(0.02) : null,
      opened: outcome < 6 ? at(5) : null,
      clicked: outcome < 4 ? at(5.1) : null,
      reviewed: review ? at(HOURS_UNTIL_REVIEW) : null,
    });
  }
  await pool().query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as g(review_id text, seller_review_id text, id text, order_id text, item_id text, customer_id text, email text,
         email_key text, hashes text[], name text, day date, ordered timestamptz, sent timestamptz, expires timestamptz,
         delivered timestamptz, bounced timestamptz, opened timestamptz, clicked timestamptz, reviewed timestamptz)
     ), mails as (
       insert into invitations (client_id, id, customer_id, email, email_key, name, status, day, claimed_at, sent_at, expires_at,
                                delivered_at, bounced_at, opened_at, clicked_at, reviewed_at, created_at, updated_at)
       select $1, id, customer_id, email, email_key, name, 'sent', day, sent, sent, expires, delivered, bounced, opened,
              clicked, reviewed, sent, sent from given
       returning id
     ), items as (
       insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
       select $1, mails.id, g.order_id, g.item_id, 1 from mails join given g on g.id = mails.id
     ), wrote as (
       update reviews r set invitation_id = mails.id, order_id = g.order_id, customer_id = g.customer_id
         from mails join given g on g.id = mails.id where r.client_id = $1 and r.id = g.review_id
     ), rated as (
       update seller_reviews s set invitation_id = mails.id, order_id = g.order_id, customer_id = g.customer_id
         from mails join given g on g.id = mails.id where s.client_id = $1 and s.id = g.seller_review_id
     ), days as (
       insert into send_days (client_id, day, sent) select $1, day, count(*) from given group by day
       on conflict (client_id, day) do update set sent = send_days.sent + excluded.sent
     ), came as (
       update orders o set created_at = g.ordered, updated_at = g.ordered from given g
        where o.client_id = $1 and o.id = g.order_id
     ), came_in as (
       update order_items i set created_at = g.ordered, updated_at = g.ordered from given g
        where i.client_id = $1 and i.order_id = g.order_id
     )
     insert into quarantines (client_id, person_hash, last_day)
     select $1, hash, day from given cross join lateral unnest(hashes) as hash`,
    [clientId, JSON.stringify(rows)],
  );
}

/**
 * Orders of the verified buyers whose reviews were posted by the store's own system, not through an invitation. The
 * result is the same at every start.
 */
export async function addPastOrders(clientId: string): Promise<void> {
  const { rows: reviews } = await pool().query<SourceReview & { product_id: string }>(
    `select id, product_id, author, author_email, created_at from reviews
      where client_id = $1 and verified_buyer and order_id is null order by created_at, id`,
    [clientId],
  );
  const rows = reviews.map(({ created_at, ...review }, n) => ({
    ...review,
    order_id: `FF-08${String(n + 10)}`,
    customer_id: `C-${n + 101}`,
    ordered: new Date(created_at.getTime() - 12 * DAY).toISOString(),
    delivered: dayIn("UTC", new Date(created_at.getTime() - 7 * DAY)),
  }));
  for (const { order_id, customer_id, author, author_email, product_id, delivered } of rows)
    await postOrder(
      { id: clientId },
      {
        id: order_id,
        customer: { id: customer_id, name: author, email: author_email },
        items: [{ id: product_id, delivery_date: delivered }],
      },
    );
  await pool().query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as g(id text, order_id text, customer_id text, ordered timestamptz)
     ), wrote as (
       update reviews r set source = 'api', order_id = g.order_id, customer_id = g.customer_id
         from given g where r.client_id = $1 and r.id = g.id
     ), came_in as (
       update order_items i set created_at = g.ordered, updated_at = g.ordered from given g
        where i.client_id = $1 and i.order_id = g.order_id
     )
     update orders o set created_at = g.ordered, updated_at = g.ordered from given g
      where o.client_id = $1 and o.id = g.order_id`,
    [clientId, JSON.stringify(rows)],
  );
}
