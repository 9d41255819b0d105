import type { Day } from "@/lib/invitations/days";
import { hasReviewedSql, isHeldOnSql } from "@/lib/invitations/due-sql";
import { REVIEW_INTERVAL_DAYS, type SendRules } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { type DueMail, firstItemSql, lastSellerReviewSql, recipientSql } from "./rules-sql";

// `planSellerDay` of rules.ts over whole tables. $1 client, $2 today, $3 after, $4 before, $5 quarantine, $6 maximum.

/** An item's product was reviewed by its person so recently that the window ends before it may be asked about again. */
const reviewedLately = hasReviewedSql(
  "$1",
  "c.email_key",
  "oi.id",
  `v.date > oi.delivery_date + $4::int - ${REVIEW_INTERVAL_DAYS}`,
);

const answered = `exists (select from reviews v
  where v.client_id = $1 and v.order_id = oi.order_id and v.product_id = oi.id)`;

/** Items that can represent their order today. Two scans, each over an index of its own. */
const sellerItems = (reviewableCondition: "oi.reviewable" | "not oi.reviewable") => `
  select oi.order_id, oi.id as item_id, oi.delivery_date, c.email_key as person, c.email_hash
    from order_items oi
    join orders o on o.client_id = oi.client_id and o.id = oi.order_id
    join customers c on c.client_id = o.client_id and c.id = o.customer_id
    left join products p on p.client_id = oi.client_id and p.id = oi.id
   where oi.client_id = $1 and ${reviewableCondition} and not oi.asked and not ${isHeldOnSql("$2::date")}
     and oi.reviewable_set is distinct from false and c.email_key is not null
     and oi.delivery_date between $2::date - $4::int and $2::date - $3::int
     ${reviewableCondition === "oi.reviewable" ? `and (coalesce(p.deleted, false) or ${reviewedLately})` : ""}
     and not exists (select from invitation_items ii where ii.client_id = $1 and ii.order_id = oi.order_id)
     and not ${answered}`;

const dueText = `
with items as (${sellerItems("oi.reviewable")} union all ${sellerItems("not oi.reviewable")}),
people as (
  select person from items s
   where not exists (select from suppressions x where x.client_id = $1 and x.email_hash = s.email_hash)
     and not exists (select from customers same
       where same.client_id = $1 and same.email_key = s.person and same.opt_out_by_order)
     and not exists (select from quarantines q where q.client_id = $1 and q.last_day + greatest($5::int, 1) > $2::date
       and (q.person_hash = s.email_hash or q.person_hash in (
         select id_hash from customers same where same.client_id = $1 and same.email_key = s.person)))
     and coalesce(${lastSellerReviewSql("s.person")} + ${REVIEW_INTERVAL_DAYS} <= $2::date, true)
     -- The person has no other items to be asked about, now or later: that email would ask about the store as well.
     and not exists (
       select from customers c
         join orders o on o.client_id = $1 and o.customer_id = c.id
         join order_items oi on oi.client_id = $1 and oi.order_id = o.id
         left join products p on p.client_id = $1 and p.id = oi.id
        where c.client_id = $1 and c.email_key = s.person and oi.reviewable and not oi.asked
          and (oi.held_at is null or oi.held_until <= oi.delivery_date + $4::int)
          and oi.delivery_date + $4::int >= $2::date and $3::int <= $4::int and not coalesce(p.deleted, false)
          and not ${reviewedLately} and not ${answered})
   group by person
)
select s.person as email_key,
       json_agg(json_build_object('order_id', s.order_id, 'item_id', s.item_id) order by s.delivery_date, s.order_id, s.item_id) as items,
       ${recipientSql("s.person")} as customer
  from items s join people on people.person = s.person
 group by s.person order by ${firstItemSql("s.delivery_date", "s.order_id", "s.item_id")} limit $6`;

/** The seller-only invitations that may be sent today, oldest delivery first, up to a maximum. */
export async function selectDueSeller(
  db: Db,
  clientId: string,
  rules: SendRules,
  today: Day,
  limit: number,
): Promise<DueMail[]> {
  const { rows } = await db.query<DueMail>(dueText, [
    clientId,
    today,
    rules.afterDays,
    rules.beforeDays,
    rules.quarantineDays,
    limit,
  ]);
  return rows;
}

/** Whether a person reviewed the store so recently that no seller-only invitation may be sent. */
export async function hasRatedShop(db: Db, clientId: string, emailKey: string, today: Day): Promise<boolean> {
  const { rows } = await db.query<{ rated: boolean }>(
    `select coalesce(${lastSellerReviewSql("$2::text")} + ${REVIEW_INTERVAL_DAYS} > $3::date, false) as rated`,
    [clientId, emailKey, today],
  );
  return rows[0]?.rated ?? false;
}
