-- A log per store that outsiders can check, made from the history of its items and from facts about the whole store.
-- Rewrites moderation_events for the salts, which takes about ten seconds per million rows; nothing is served meanwhile.

alter table moderation_events add column salt uuid default gen_random_uuid(), add column facts jsonb;

create table logs (
  client_id text collate "C" not null,
  origin text collate "C" not null,
  size bigint not null default 0,
  checkpoint text collate "C" not null default '',
  signed_at timestamptz(3) not null default current_timestamp,
  constraint logs_pkey primary key (client_id),
  constraint logs_client_id_fkey foreign key (client_id) references clients (id) on delete cascade on update no action
);
create table log_bundles (
  client_id text collate "C" not null,
  n bigint not null,
  first_event bigint not null,
  entries bytea not null,
  constraint log_bundles_pkey primary key (client_id, n),
  constraint log_bundles_client_id_fkey foreign key (client_id) references logs (client_id) on delete cascade on update no action
);
create table log_tiles (
  client_id text collate "C" not null,
  level smallint not null,
  n bigint not null,
  hashes bytea not null,
  constraint log_tiles_pkey primary key (client_id, level, n),
  constraint log_tiles_client_id_fkey foreign key (client_id) references logs (client_id) on delete cascade on update no action
);
create table log_position (
  one boolean not null default true,
  event bigint not null,
  constraint log_position_pkey primary key (one),
  constraint log_position_one_check check (one)
);
create table log_keys (
  id text collate "C" not null,
  sealed_secret bytea,
  public_key bytea not null,
  created_at timestamptz(3) not null default current_timestamp,
  retired_at timestamptz(3),
  constraint log_keys_pkey primary key (id)
);
-- The last bundle of a log grows with each batch: compressing it each time would take longer than writing it.
alter table log_bundles alter column entries set storage external;

-- Items that were deleted before keep no id, as those that are deleted from now on.
select set_config('candor.erasing', 'on', true);
update moderation_events e
   set salt = null, subject_id = encode(substring(sha256(convert_to('candor/item:' || f.salt::text, 'UTF8')) for 16), 'hex')
  from (select distinct on (client_id, kind, subject_id) client_id, kind, subject_id, salt
          from moderation_events order by client_id, kind, subject_id, id) f
 where f.client_id = e.client_id and f.kind = e.kind and f.subject_id = e.subject_id
   and case e.kind
         when 'review' then not exists (select from reviews r where r.client_id = e.client_id and r.id = e.subject_id)
         when 'seller_review' then not exists (select from seller_reviews r where r.client_id = e.client_id and r.id = e.subject_id)
         when 'question' then not exists (select from questions r where r.client_id = e.client_id and r.id = e.subject_id)
         when 'answer' then not exists (select from answers r where r.client_id = e.client_id and r.id = e.subject_id)
         when 'photo' then not exists (select from uploads r where r.client_id = e.client_id and r.token = e.subject_id)
       end;
select set_config('candor.erasing', '', true);

-- Every store has a history, of its settings: it goes with the store.
create or replace function take_along_unvouched() returns trigger language plpgsql as $$
declare
  erasing text := coalesce(current_setting('candor.erasing', true), '');
begin
  delete from reviews where client_id = old.id;
  delete from review_counts where client_id = old.id;
  delete from customers where client_id = old.id;
  perform set_config('candor.erasing', 'on', true);
  delete from moderation_events where client_id = old.id;
  perform set_config('candor.erasing', erasing, true);
  delete from submissions where client_id = old.id;
  -- A store that is created with the same id must not get these.
  delete from responses where client_id = old.id;
  delete from mails where client_id = old.id;
  return null;
end $$;
