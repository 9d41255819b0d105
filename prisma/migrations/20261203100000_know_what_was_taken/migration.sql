-- A fact that is being sent to Inngest was put out of reach by a later time of its own, and looked from then on as if nobody
-- had been told of it yet: an undo removed it, and its undoing was told to nobody either. Now both are known apart.
alter table "outbox" add column "taken_until" timestamptz(3);

-- As before; but who was sent on the way to a webhook may be there already, and not see what is written now.
create or replace function tell_webhooks() returns trigger language plpgsql as $$
begin
  -- Hardly any statement writes a fact of a client with a webhook: the rest pays for one look.
  if not exists (select from told t join webhooks w on w.client_id = t.client_id) then return null; end if;
  with written as (
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
      from told t
      join webhooks w on w.client_id = t.client_id
      cross join lateral (select webhook_event(t.name, t.data) as event) e
     -- One that is gone hears nothing any more, and one that was down for a month nothing new.
     where e.event is not null and e.event = any(w.events) and w.disabled_reason is distinct from 'gone'
       and (w.disabled_at is null or w.disabled_at > now() - interval '30 days')
     order by t.id
    returning client_id, webhook_id, due_at)
  insert into outbox (client_id, name, data, available_at)
  select client_id, 'webhook/due', jsonb_build_object('client_id', client_id, 'webhook_id', webhook_id), min(due_at)
    from written d
   where not exists (select from outbox o where o.relayed_at is null and o.taken_until is null and o.name = 'webhook/due'
                        and o.data ->> 'webhook_id' = d.webhook_id and o.available_at <= d.due_at)
   group by client_id, webhook_id;
  return null;
end
$$;
