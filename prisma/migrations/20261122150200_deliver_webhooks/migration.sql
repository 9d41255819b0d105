-- Webhooks are told what happened, in order for each review. What is to be told is written by a trigger on the outbox, in
-- the transaction of the change itself: transactions that change the same row follow each other, so their rows here do.
alter table "webhooks"
  -- all of the address; `url` is what may be shown of it
  add column "sealed_url" bytea not null default '',
  add column "paused_at" timestamptz(3),
  add column "disabled_reason" text collate "C",
  -- since when nothing got through, and when it is tried again
  add column "failing_since" timestamptz(3),
  add column "failures" integer not null default 0,
  add column "next_try_at" timestamptz(3),
  add column "last_sent_at" timestamptz(3),
  add column "last_error" text,
  add constraint "webhooks_disabled_reason_check" check (disabled_reason in ('gone', 'failing'));

create table "webhook_deliveries" (
  "client_id" text collate "C" not null,
  "id" bigint generated always as identity,
  "webhook_id" text collate "C" not null,
  "message_id" text collate "C" not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  "event" text collate "C" not null,
  "subject" text collate "C" not null,
  "data" jsonb not null,
  "happened_at" timestamptz(3) not null,
  "state" text collate "C" not null default 'pending',
  "attempts" integer not null default 0,
  "due_at" timestamptz(3) not null,
  "tried_at" timestamptz(3),
  "status" integer,
  "error" text,
  "fact_id" bigint,
  "created_at" timestamptz(3) not null default current_timestamp,
  constraint "webhook_deliveries_pkey" primary key ("client_id", "id"),
  constraint "webhook_deliveries_state_check" check (state in ('pending', 'sent', 'failed')),
  constraint "webhook_deliveries_client_id_webhook_id_fkey" foreign key ("client_id", "webhook_id")
    references "webhooks"("client_id", "id") on delete cascade on update cascade
);
create index "webhook_deliveries_client_id_webhook_id_id_idx" on "webhook_deliveries"("client_id", "webhook_id", "id");
create index "webhook_deliveries_client_id_subject_idx" on "webhook_deliveries"("client_id", "subject");
create index "webhook_deliveries_waiting_idx" on "webhook_deliveries"("client_id", "webhook_id", "subject", "id") where (state = 'pending');
create index "webhook_deliveries_due_idx" on "webhook_deliveries"("due_at") where (state = 'pending');
create index "webhook_deliveries_fact_id_idx" on "webhook_deliveries"("fact_id") where (state = 'pending');
create index "webhook_deliveries_created_at_idx" on "webhook_deliveries"("created_at");

-- Whether somebody is on the way to a webhook already.
create index "outbox_webhook_due_idx" on "outbox"((data ->> 'webhook_id')) where (relayed_at is null and name = 'webhook/due');

-- The event that a fact is told as; null where it is nobody else's business.
create function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
  select case
    when name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(name, '/', 1) || case when data ? 'edited' then '.updated' else '.created' end
    when name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(name, '/', 1) || case data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when name in ('review/verified', 'question/verified') then split_part(name, '/', 1) || '.updated'
    when name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                  'seller_review/deleted', 'seller_review/replied', 'question/deleted', 'question/replied',
                  'invitation/scheduled', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
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
   where not exists (select from outbox o where o.relayed_at is null and o.name = 'webhook/due'
                        and o.data ->> 'webhook_id' = d.webhook_id and o.available_at <= d.due_at)
   group by client_id, webhook_id;
  return null;
end
$$;
create trigger outbox_tell_webhooks after insert on outbox
  referencing new table as told for each statement execute function tell_webhooks();

-- A fact that is taken back before it is told (a decision undone) is not told to webhooks either.
create function take_back_webhooks() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where relayed_at is null and available_at > now() + interval '1 ms') then return null; end if;
  delete from webhook_deliveries d using gone g
   where d.fact_id = g.id and d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms';
  return null;
end
$$;
create trigger outbox_take_back_webhooks after delete on outbox
  referencing old table as gone for each statement execute function take_back_webhooks();
