-- Facts that follow from a fact in the outbox: webhook deliveries and notes for the engagement platform.

create function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
  select case
    when name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(name, '/', 1) || case when data ? 'edited' then '.updated' else '.created' end
    when name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(name, '/', 1) || case data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when name in ('review/verified', 'question/verified') then split_part(name, '/', 1) || '.updated'
    when name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                  'seller_review/updated', 'seller_review/deleted', 'seller_review/replied',
                  'question/updated', 'question/deleted', 'question/replied',
                  'invitation/scheduled', 'invitation/handed', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
                  'personal_data/deleted') then replace(name, '/', '.')
  end
$$;

create function tell_webhooks() returns trigger language plpgsql as $$
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
create trigger outbox_tell_webhooks after insert on outbox
  referencing new table as told for each statement execute function tell_webhooks();

-- Rows are locked in the order in which everybody does: the webhook first, so that one which is just being removed is waited
-- for before anything of it is held, then what it was to be told, by key.
create function take_back_webhooks() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where relayed_at is null and available_at > now() + interval '1 ms') then return null; end if;
  perform 1 from webhooks w
    where (w.client_id, w.id) in (
      select d.client_id, d.webhook_id from webhook_deliveries d join gone g on g.id = d.fact_id
       where d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms')
    order by w.client_id, w.id for key share of w;
  perform 1 from webhook_deliveries d join gone g on g.id = d.fact_id
    where d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms'
    order by d.id for update of d;
  delete from webhook_deliveries d using gone g
   where d.fact_id = g.id and d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms';
  return null;
end
$$;
create trigger outbox_take_back_webhooks after delete on outbox
  referencing old table as gone for each statement execute function take_back_webhooks();

create function note_reviews_for_engagement() returns trigger language plpgsql as $$
begin
  if not exists (select from written w join integrations i on i.client_id = w.client_id and i.type = 'engagement') then
    return null;
  end if;
  insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
  select w.client_id, 'engagement/review',
         jsonb_build_object('client_id', w.client_id, 'review_id', w.data -> 'review_id')
           || case when w.name = 'review/decided' then '{}' else '{"changed": true}' end::jsonb,
         w.available_at, w.origin_id, w.clock_at
    from written w
    join integrations i on i.client_id = w.client_id and i.type = 'engagement'
   where w.name in ('review/submitted', 'review/created', 'review/updated', 'review/verified', 'review/decided', 'review/deleted')
   order by w.id;
  return null;
end
$$;
create trigger outbox_note_reviews_for_engagement after insert on outbox
  referencing new table as written for each statement execute function note_reviews_for_engagement();
