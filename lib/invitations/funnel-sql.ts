import type { Day } from "@/lib/invitations/days";
import type { Db } from "@/lib/platform/db/pool";

/**
 * Emails per stage; each counts at every stage it reached. A planned email is sent, failed or waiting; a sent one is
 * delivered, bounced or without a report.
 */
export type StageCounts = {
  planned: number;
  sent: number;
  /** rejected by the mail service */
  failed: number;
  /** not sent yet, or not accepted by the external sender */
  waiting: number;
  delivered: number;
  bounced: number;
  /** sent, without a delivery report */
  untold: number;
  opened: number;
  clicked: number;
  reviewed: number;
};

export type FunnelScope = { from: Day; to: Day; product: string | null };

// A delegated email is sent once the external sender accepts it.
const wasSentSql = "n.sent_at is not null and (n.handed_at is null or n.taken_at is not null)";
const counts = `count(*)::int as planned, count(*) filter (where ${wasSentSql})::int as sent,
  count(*) filter (where n.status = 'failed' and not (${wasSentSql}))::int as failed,
  count(*) filter (where n.status <> 'failed' and not (${wasSentSql}))::int as waiting,
  count(n.delivered_at)::int as delivered, count(n.bounced_at) filter (where n.delivered_at is null)::int as bounced,
  count(*) filter (where ${wasSentSql} and n.delivered_at is null and n.bounced_at is null)::int as untold, count(n.opened_at)::int as opened, count(n.clicked_at)::int as clicked,
  count(*) filter (where n.reviewed)::int as reviewed`;

// $1 client, $2 to $3 days. Excludes emails withdrawn before sending, whose items are free for another.
const mails = `mails as (
  select n.*, n.reviewed_at is not null as reviewed, coalesce(n.reminder_of, n.id) as asks from invitations n
   where n.client_id = $1 and n.day between $2::date and $3::date
     and (n.status <> 'failed' or n.mail_id is not null or n.sent_at is not null or n.handed_at is not null)
)`;

// One row per email and product, for any number of orders. `reviewed`: one of these items was, through the link.
const askedItems = `asked as (
  select i.item_id, n.day, n.status, n.sent_at, n.handed_at, n.taken_at, n.delivered_at, n.bounced_at, n.opened_at, n.clicked_at,
         n.reviewed and bool_or(exists (select from reviews v where v.client_id = $1 and v.order_id = i.order_id
           and v.product_id = i.item_id and v.invitation_id is not null)) as reviewed
    from mails n join invitation_items i on i.client_id = $1 and i.invitation_id = n.asks and n.kind <> 'seller'
   where $4::text is null or i.item_id = $4
   group by i.item_id, n.id, n.day, n.status, n.sent_at, n.handed_at, n.taken_at, n.delivered_at, n.bounced_at, n.opened_at, n.clicked_at, n.reviewed
)`;

/** By day, oldest first; days without an email are left out. */
export async function selectFunnelDays(
  db: Db,
  clientId: string,
  scope: FunnelScope,
): Promise<(StageCounts & { day: Day })[]> {
  const { from, to, product } = scope;
  const { rows } = await db.query<StageCounts & { day: Day }>(
    product === null
      ? `with ${mails} select n.day, ${counts} from mails n group by n.day order by n.day`
      : `with ${mails}, ${askedItems} select n.day, ${counts} from asked n group by n.day order by n.day`,
    [clientId, from, to, ...(product === null ? [] : [product])],
  );
  return rows;
}

export type ProductCounts = StageCounts & { product_id: string; name: string | null };

/** By product, those with the most emails first. */
export async function selectFunnelProducts(
  db: Db,
  clientId: string,
  { from, to, product }: FunnelScope,
  limit: number,
): Promise<ProductCounts[]> {
  const { rows } = await db.query<ProductCounts>(
    `with ${mails}, ${askedItems}, summed as (
       select n.item_id as product_id, ${counts} from asked n group by n.item_id
        order by count(*) filter (where ${wasSentSql}) desc, count(*) desc, n.item_id limit $5
     )
     select s.*, p.name from summed s left join products p on p.client_id = $1 and p.id = s.product_id
      order by s.sent desc, s.planned desc, s.product_id`,
    [clientId, from, to, product, limit],
  );
  return rows;
}
