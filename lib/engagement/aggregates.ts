import { pool } from "@/lib/db/pool";
import { told } from "@/lib/engagement/interactions";

/** What a contact card says of all reviews of a person. */
export type Aggregates = {
  reviewLatest: string;
  reviewLatestValue: number;
  reviewAverageGrade: number;
};

/** What clears them: the only time that a null is sent. */
export const cleared = {
  reviewLatest: null,
  reviewLatestValue: null,
  reviewAverageGrade: null,
};

// A contact's reviews are those told to it, and what else the same customers wrote, or the same confirmed addresses:
// imported, or before the connection. Never what was told to another contact.
const text = `
with told as (
  select r.id, r.customer_id, r.email_key, r.verified_email
    from deliveries d join reviews r on r.client_id = d.client_id and r.id = d.subject
   where d.client_id = $1 and d.type = 'engagement' and d.kind = 'attributes' and d.remote_id = $2),
mine as (
  select id from told
  union select id from reviews
   where client_id = $1 and customer_id in (select customer_id from told) and (verified_buyer or verified_email)
  union select id from reviews
   where client_id = $1 and email_key in (select email_key from told where verified_email) and (verified_buyer or verified_email)),
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

/** Reckoned from our own rows, so that whatever was told before is made right. Null where no review is left. */
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
    text,
    values: [clientId, contact, acceptedOnly],
  });
  const row = rows[0];
  return row
    ? {
        reviewLatest: told(row.latest),
        reviewLatestValue: row.value,
        reviewAverageGrade: row.average,
      }
    : null;
}
