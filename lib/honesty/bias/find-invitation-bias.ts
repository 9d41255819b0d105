import { type BiasFinding, continueFinding, lookBefore, WINDOW_DAYS } from "@/lib/honesty/bias/find-bias";
import { pool } from "@/lib/platform/db/pool";

/** Reviews whose authors are compared, the newest: bounds what a look reads. */
const MAX_REVIEWS = 20_000;

/**
 * Whether customers who once gave one or two stars are invited to review their next order less often than those who gave
 * four or five. A log has no customers, so this is from the store's orders, and `known` is what earlier looks found.
 */
export async function findInvitationBias(
  clientId: string,
  known: readonly BiasFinding[],
  asOf: Date,
): Promise<BiasFinding[]> {
  const look = lookBefore(asOf.getTime());
  const groups = await selectInvited(clientId, new Date(look));
  return continueFinding("invited", groups, known, look);
}

/**
 * By customer: the last order whose items could no longer be asked about, and the last product review before it. Those who
 * opted out, or whose address doesn't work, can't be invited; exclusions by the store count.
 */
async function selectInvited(clientId: string, look: Date): Promise<Pick<BiasFinding, "low" | "high">> {
  const { rows } = await pool().query<{ is_low: boolean; reviews: number; count: number }>({
    name: "invited-by-stars",
    text: `select r.score <= 2 as is_low, count(*)::int as reviews, (count(*) filter (where o.asked))::int as count
             from (select distinct customer_id from (
                     select customer_id from reviews where client_id = $1 and created_at < $2
                      order by created_at desc, id desc limit ${MAX_REVIEWS}) newest
                    where customer_id is not null) c
             join customers u on u.client_id = $1 and u.id = c.customer_id
             join clients s on s.id = $1
            cross join lateral (
                select o.created_at, bool_or(i.asked) as asked
                  from orders o join order_items i on i.client_id = $1 and i.order_id = o.id
                 where o.client_id = $1 and o.customer_id = c.customer_id and (i.reviewable or i.reviewable_set is false)
                   and i.delivery_date < $2::date - s.send_emails_before_days
                   and i.delivery_date >= $2::date - s.send_emails_before_days - ${WINDOW_DAYS}
                 group by o.id, o.created_at order by o.created_at desc, o.id limit 1) o
            cross join lateral (
                select score from reviews
                 where client_id = $1 and customer_id = c.customer_id and created_at < o.created_at
                 order by created_at desc, id desc limit 1) r
            where r.score <> 3 and not exists (
                select from suppressions x where x.client_id = $1 and x.email_hash = u.email_hash
                   and x.reason in ('opt_out', 'bounce', 'complaint'))
            group by 1`,
    values: [clientId, look],
  });
  const group = (isLow: boolean) => {
    const { reviews = 0, count = 0 } = rows.find(({ is_low }) => is_low === isLow) ?? {};
    return { reviews, count, median: null };
  };
  return { low: group(true), high: group(false) };
}
