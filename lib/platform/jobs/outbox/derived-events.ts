import type { Db } from "@/lib/platform/db/pool";

// Events and deliveries derived from outbox events, in the statement that writes them: `engagement/review` if the
// client has an engagement platform, and deliveries to its webhooks with the `webhook/due` that starts them. Handles
// all events of a statement together, so a batch costs no query per row. It is in the platform because every module
// writes events.

/** The webhook event of an outbox event `t`, or null. README.md of lib/integrations/webhooks lists them. */
const webhookEvent = `case
    when t.name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(t.name, '/', 1) || case when t.data ? 'edited' then '.updated' else '.created' end
    when t.name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(t.name, '/', 1)
        || case t.data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when t.name in ('review/verified', 'question/verified') then split_part(t.name, '/', 1) || '.updated'
    when t.name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                    'seller_review/updated', 'seller_review/deleted', 'seller_review/replied',
                    'question/updated', 'question/deleted', 'question/replied',
                    'invitation/scheduled', 'invitation/handed', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
                    'personal_data/deleted') then replace(t.name, '/', '.')
  end`;

/** The clients of the events, for a lookup by key: few of them have webhooks or an engagement platform. */
const clientsOfEvents = "any(array(select distinct client_id from new_events))";

/** CTEs that write outbox events and what is derived from them. `insert`: a statement that inserts into `outbox`. */
export const withDerivedEvents = (insert: string): string => `new_events as (
  ${insert}
  returning id, client_id, name, data, created_at, available_at, origin_id, clock_at),
engagement_events as (
  insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
  select t.client_id, 'engagement/review',
         jsonb_build_object('client_id', t.client_id, 'review_id', t.data -> 'review_id')
           || case when t.name = 'review/decided' then '{}' else '{"changed": true}' end::jsonb,
         t.available_at, t.origin_id, t.clock_at
    from new_events t join integrations i on i.client_id = t.client_id and i.client_id = ${clientsOfEvents} and i.type = 'engagement'
   where t.name in ('review/submitted', 'review/created', 'review/updated', 'review/verified', 'review/decided', 'review/deleted')
   order by t.id),
new_deliveries as (
  insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at, fact_id)
  select t.client_id, w.id, e.event,
         coalesce(t.data ->> 'review_id', t.data ->> 'seller_review_id', t.data ->> 'question_id',
                  t.data ->> 'invitation_id', t.data ->> 'erasure_id'),
         jsonb_strip_nulls(jsonb_build_object(
           'review_id', t.data -> 'review_id', 'seller_review_id', t.data -> 'seller_review_id',
           'question_id', t.data -> 'question_id', 'response_id', t.data -> 'response_id',
           'answer_id', t.data -> 'answer_id', 'invitation_id', t.data -> 'invitation_id',
           'deletion_id', t.data -> 'erasure_id', 'reason', t.data -> 'reason')),
         coalesce(t.clock_at, t.created_at), t.available_at, t.id
    from new_events t join webhooks w on w.client_id = t.client_id and w.client_id = ${clientsOfEvents}
    cross join lateral (select ${webhookEvent} as event) e
   -- A webhook that is gone gets no events, and one disabled for a month no new ones.
   where e.event = any(w.events) and w.disabled_reason is distinct from 'gone'
     and (w.disabled_at is null or w.disabled_at > now() - interval '30 days')
   order by t.id, w.id
   -- Locked before its deliveries are inserted, in the order of withdrawEvents; waits for a concurrent delete and then skips it.
   for key share of w
  returning client_id, webhook_id, due_at),
due_events as (
  insert into outbox (client_id, name, data, available_at)
  select client_id, 'webhook/due', jsonb_build_object('client_id', client_id, 'webhook_id', webhook_id), min(due_at)
    from new_deliveries d
   -- Only an unrelayed webhook/due is reused: a run that already started may end without seeing these deliveries. If one is
   -- relayed while this statement runs, deliver-webhooks finds the delivery within a minute. Locking that event would make the
   -- relay skip it under constant writes.
   where not exists (select from outbox o where o.relayed_at is null and o.taken_until is null and o.name = 'webhook/due'
                        and o.data ->> 'webhook_id' = d.webhook_id and o.available_at <= d.due_at)
   group by client_id, webhook_id)`;

/**
 * Deletes outbox events, and the webhook deliveries derived from those not yet due. Locks rows in the common order: the
 * webhook before its deliveries, both by key. Returns the events' data.
 */
export async function withdrawEvents(db: Db, where: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query<{ id: number; data: Record<string, unknown>; early: boolean }>(
    `delete from outbox where ${where}
     returning id, data, relayed_at is null and available_at > now() + interval '1 ms' as early`,
    values,
  );
  const pendingIds = rows.flatMap(({ id, early }) => (early ? [id] : []));
  if (pendingIds.length > 0) {
    const pending = "state = 'pending' and fact_id = any($1)";
    await db.query(
      `select from webhooks where (client_id, id) in (select client_id, webhook_id from webhook_deliveries where ${pending})
        order by client_id, id for key share`,
      [pendingIds],
    );
    await db.query(`select from webhook_deliveries where ${pending} order by id for update`, [pendingIds]);
    await db.query(`delete from webhook_deliveries where ${pending}`, [pendingIds]);
  }
  return rows.map(({ data }) => data);
}
