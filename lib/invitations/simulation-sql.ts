import type { Day } from "@/lib/invitations/days";
import type { PersonFacts } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { lastSellerReviewSql } from "./rules-sql";

export type SimulationItem = {
  order_id: string;
  item_id: string;
  delivery_date: Day | null;
  reviewable: boolean;
  cancelled: boolean;
  held: boolean;
  held_until: Day | null;
  product_deleted: boolean;
  person: string | null;
  /** days on which the person reviewed the product without an invitation of these days */
  reviewed: Day[];
  /** the item has its own review that no invitation led to */
  answered: boolean;
};

/**
 * Items of the orders of these days: delivered in them, or, if no email can follow (cancelled, without a date),
 * received in them. Newest first, up to a maximum. Ignores reviews that invitations of these days led to, since those
 * are simulated.
 */
export async function selectSimulationItems(
  db: Db,
  clientId: string,
  { from, to, since }: { from: Day; to: Day; since: Date },
  limit: number,
): Promise<SimulationItem[]> {
  const { rows } = await db.query<SimulationItem>(
    `with picked as (
       (select order_id, id, delivery_date, reviewable, reviewable_set, held_at, held_until from order_items
         where client_id = $1 and reviewable and delivery_date between $2::date and $3::date
         order by delivery_date desc, order_id desc, id desc limit $5)
       union all
       (select i.order_id, i.id, i.delivery_date, i.reviewable, i.reviewable_set, i.held_at, i.held_until
          from orders o join order_items i on i.client_id = o.client_id and i.order_id = o.id
         where o.client_id = $1 and o.created_at >= $4 and (not i.reviewable or i.delivery_date is null)
           and coalesce(i.delivery_date between $2::date and $3::date, true)
         order by o.created_at desc, o.id desc, i.id desc limit $5)
     )
     select i.order_id, i.id as item_id, i.delivery_date, i.reviewable, i.reviewable_set is false as cancelled,
            i.held_at is not null and i.held_until is null as held,
            case when i.held_at is not null then i.held_until end as held_until, coalesce(p.deleted, false) as product_deleted, c.email_key as person,
            coalesce((select array_agg(v.date::text) from (
               select v.date from reviews v
                where v.client_id = $1 and v.email_key = c.email_key and v.product_id = i.id
                  and (v.source <> 'invitation' or v.created_at < $4)
               union
               select v.date from customers same join reviews v on v.client_id = $1 and v.customer_id = same.id
                where same.client_id = $1 and same.email_key = c.email_key and v.product_id = i.id
                  and (v.source <> 'invitation' or v.created_at < $4)) v), '{}') as reviewed,
            exists (select from reviews v where v.client_id = $1 and v.order_id = i.order_id and v.product_id = i.id
                      and v.source <> 'invitation') as answered
       from picked i
       join orders o on o.client_id = $1 and o.id = i.order_id
       join customers c on c.client_id = $1 and c.id = o.customer_id
       left join products p on p.client_id = $1 and p.id = i.id`,
    [clientId, from, to, since, limit],
  );
  return rows;
}

export type SimulationPerson = PersonFacts & { person: string };

/** The current state of these people, and the day of their last email before `from`. */
export async function selectSimulationPeople(
  db: Db,
  clientId: string,
  people: string[],
  from: Day,
): Promise<SimulationPerson[]> {
  const { rows } = await db.query<SimulationPerson>(
    `select c.email_key as person,
            bool_or(c.opt_out_by_order) or exists (select from suppressions s
              where s.client_id = $1 and s.email_hash = max(c.email_hash) and s.reason = 'opt_out') as opted_out,
            exists (select from suppressions s
              where s.client_id = $1 and s.email_hash = max(c.email_hash) and s.reason <> 'opt_out') as suppressed,
            (select max(n.day) from invitations n
              where n.client_id = $1 and n.email_key = c.email_key and n.day < $3::date
                and (n.sent_at is not null or n.handed_at is not null)) as invited,
            ${lastSellerReviewSql("c.email_key", "and v.date < $3::date")} as rated_shop
       from customers c where c.client_id = $1 and c.email_key = any($2::text[]) group by c.email_key`,
    [clientId, people, from],
  );
  return rows;
}
