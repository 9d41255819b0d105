import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import { toTimestamp } from "@/lib/integrations/engagement/interactions";
import { type Db, pool } from "@/lib/platform/db/pool";

/** A contact's attributes about all reviews of the person. */
export type Aggregates = {
  reviewLatest: string;
  reviewLatestValue: number;
  reviewAverageGrade: number;
};

/** Clears the attributes. Nulls are sent only for this. */
export const clearedAggregates = {
  reviewLatest: null,
  reviewLatestValue: null,
  reviewAverageGrade: null,
};

// A contact's reviews: those sent to it, and others by the same customers or with the same email, verified or belonging
// to those customers, including imported ones and those before the connection. Never reviews sent to another contact.
const aggregatesSql = `
with matching as (
  select r.id, r.customer_id, r.email_key, r.verified_email
    from deliveries d join reviews r on r.client_id = d.client_id and r.id = d.subject
   where d.client_id = $1 and d.type = 'engagement' and d.kind = 'attributes' and d.remote_id = $2),
addresses as (
  select email_key from matching where verified_email
  union select c.email_key from customers c where c.client_id = $1 and c.id in (select customer_id from matching)),
mine as (
  select id from matching
  union select id from reviews
   where client_id = $1 and customer_id in (select customer_id from matching) and (verified_buyer or verified_email)
  union select id from reviews
   where client_id = $1 and email_key in (select email_key from addresses) and (verified_buyer or verified_email)),
counted as (
  select r.score, r.id,
         case when r.source in ('api', 'import') then r.date::timestamp at time zone 'UTC' else r.created_at end as at
    from mine join reviews r on r.client_id = $1 and r.id = mine.id
   where (not $3 or r.accepted)
     and not exists (select from deliveries d where d.client_id = $1 and d.type = 'engagement' and d.kind = 'attributes'
                        and d.subject = r.id and d.remote_id <> $2))
select (array_agg(at order by at desc, id desc))[1] as latest, (array_agg(score order by at desc, id desc))[1]::int as value,
       round(avg(score), 2)::float8 as average
  from counted having count(*) > 0`;

/** Computed from our own rows, so that earlier mistakes are corrected. Null if no review is left. */
export async function aggregatesOf(
  clientId: string,
  contact: string,
  acceptedOnly: boolean,
): Promise<Aggregates | null> {
  const { rows } = await pool().query<{
    latest: Date;
    value: number;
    average: number;
  }>({
    name: "engagement-aggregates",
    text: aggregatesSql,
    values: [clientId, contact, acceptedOnly],
  });
  const row = rows[0];
  return row
    ? {
        reviewLatest: toTimestamp(row.latest),
        reviewLatestValue: row.value,
        reviewAverageGrade: row.average,
      }
    : null;
}

// In reverse: from a review to the contacts whose aggregates contain it. One delivery per contact is enough, and one in
// progress is restarted, since it may have computed its values before.
const requeueContactsSql = `
with review as (
  select id, customer_id, case when verified_buyer or verified_email then email_key end as email_key
    from reviews where client_id = $1 and id = $2),
theirs as (
  select id from review
  union select r.id from review join reviews r on r.client_id = $1 and r.customer_id = review.customer_id
  union select r.id from review join reviews r on r.client_id = $1 and r.email_key = review.email_key and r.verified_email
  union select r.id from review join customers c on c.client_id = $1 and c.email_key = review.email_key
                                join reviews r on r.client_id = $1 and r.customer_id = c.id),
due as (
  select distinct on (d.remote_id) d.id
    from theirs join deliveries d on d.client_id = $1 and d.type = 'engagement' and d.kind = 'attributes' and d.subject = theirs.id
   where d.remote_id is not null and (d.outcome = 'sent' or (d.outcome = 'pending' and d.due_at is not null))
   order by d.remote_id, d.outcome, d.id)
update deliveries d
   set outcome = 'pending', reason = null, due_at = now(), asked_at = now(), attempts = d.attempts + 1, updated_at = now()
  from due where d.client_id = $1 and d.id = due.id`;

/** Requeues the attributes of contacts whose aggregates contain a review, in the caller's transaction. */
export async function requeueContacts(db: Db, clientId: string, reviewId: string): Promise<void> {
  const { rowCount } = await db.query({
    name: "engagement-requeue",
    text: requeueContactsSql,
    values: [clientId, reviewId],
  });
  if (rowCount) await enqueueEngagementDelivery(db, clientId);
}
