import type { Day } from "@/lib/invitations/days";
import type { Db } from "@/lib/platform/db/pool";

export type MailRow = {
  id: string;
  kind: string;
  status: string;
  /** why it failed */
  error: string | null;
  /** the client's day it counts for */
  day: Day;
  item_ids: string[];
  claimed_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  bounced_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  handed_at: Date | null;
  by_hand: boolean;
  /** delegated, but not accepted */
  untaken: boolean;
  /** delegated, but not delivered yet */
  untold: boolean;
};

/** The emails that asked about items of an order, including reminders, oldest first. */
export async function selectMailsOfOrder(db: Db, clientId: string, orderId: string): Promise<MailRow[]> {
  const { rows } = await db.query<MailRow>({
    name: "explain-mails",
    text: `with asked as (
             select invitation_id, array_agg(item_id order by position) as item_ids from invitation_items
              where client_id = $1 and order_id = $2 group by invitation_id
           ), mails as (
             select n.*, a.item_ids from asked a join invitations n on n.client_id = $1 and n.id = a.invitation_id
             union all
             select r.*, a.item_ids from asked a join invitations n on n.client_id = $1 and n.id = a.invitation_id
               join invitations r on r.client_id = $1 and r.email_key = n.email_key and r.reminder_of = n.id
           )
           select id, kind, status, error, day, by_hand, item_ids, claimed_at, sent_at, delivered_at, bounced_at, opened_at, clicked_at, handed_at,
                  handed_at is not null and taken_at is null as untaken,
                  handed_at is not null and taken_at is null and attempts = 0 as untold
             from mails order by claimed_at, id`,
    values: [clientId, orderId],
  });
  return rows;
}

/** Those of the orders whose emails weren't accepted by the external sender, and of which none was sent. */
export async function selectFailedOrders(db: Db, clientId: string, orderIds: string[]): Promise<string[]> {
  const { rows } = await db.query<{ order_id: string }>({
    name: "explain-failed",
    text: `select ii.order_id from invitation_items ii
             join invitations n on n.client_id = ii.client_id and n.id = ii.invitation_id
            where ii.client_id = $1 and ii.order_id = any($2::text[])
            group by ii.order_id having bool_and(n.status = 'failed' and n.sent_at is null)`,
    values: [clientId, orderIds],
  });
  return rows.map(({ order_id }) => order_id);
}

export type OrderItemRow = {
  item_id: string;
  received_at: Date;
  held_at: Date | null;
  held_until: Day | null;
  /** people's decisions on inviting it, oldest first; `who` is a username */
  notes: {
    action: "held" | "released" | "excluded" | "included" | "sent";
    until: Day | null;
    at: string;
    who: string | null;
  }[];
  reviews: { at: string; score: number }[];
};

/** When an order's items were received and paused, with the reviews of each. */
export async function selectItemsOfOrder(db: Db, clientId: string, orderId: string): Promise<OrderItemRow[]> {
  const { rows } = await db.query<OrderItemRow>({
    name: "explain-items",
    text: `select i.id as item_id, i.created_at as received_at, i.held_at, i.held_until,
                  coalesce((select json_agg(json_build_object('action', n.action, 'until', n.until, 'at', n.at, 'who', n.who) order by n.id)
                              from (select n.*, coalesce(u.name, u.username) as who from item_notes n
                                      left join users u on n.actor_kind = 'user' and u.id = n.actor_id
                                     where n.client_id = $1 and n.order_id = $2 and n.item_id = i.id
                                     order by n.id desc limit 50) n), '[]') as notes,
                  coalesce((select json_agg(json_build_object('at', v.created_at, 'score', v.score) order by v.created_at)
                              from (select created_at, score from reviews
                                     where client_id = $1 and order_id = $2 and product_id = i.id
                                     order by created_at limit 20) v), '[]') as reviews
             from order_items i where i.client_id = $1 and i.order_id = $2 order by i.position, i.id`,
    values: [clientId, orderId],
  });
  return rows;
}
