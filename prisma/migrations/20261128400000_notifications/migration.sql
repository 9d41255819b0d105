-- Notifications of people who use the portal, what each of them turned off or wants by email, and who started the import
-- of an uploaded file, to notify them when it ends.

create table notifications (
  id bigint generated always as identity,
  user_id text collate "C" not null,
  client_id text collate "C",
  kind text collate "C" not null,
  params jsonb not null default '{}',
  path text collate "C" not null,
  dedupe_key text collate "C" not null,
  count integer not null default 1,
  by_email boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  again_at timestamptz(3) not null default current_timestamp,
  read_at timestamptz(3),
  emailed_at timestamptz(3),
  constraint notifications_pkey primary key (id),
  constraint notifications_count_check check (count > 0),
  constraint notifications_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint notifications_client_id_fkey foreign key (client_id) references clients (id) on delete cascade on update no action
);
create unique index notifications_unread_key on notifications (user_id, client_id, dedupe_key) nulls not distinct
  where read_at is null;
create index notifications_to_email_idx on notifications (user_id)
  where by_email and emailed_at is null and read_at is null;
create index notifications_user_id_again_at_id_idx on notifications (user_id, again_at, id);
create index notifications_unread_idx on notifications (user_id, again_at, id) where read_at is null;
create index notifications_client_id_idx on notifications (client_id);

create table notification_settings (
  user_id text collate "C" not null,
  kind text collate "C" not null,
  portal boolean not null,
  email boolean not null,
  constraint notification_settings_pkey primary key (user_id, kind),
  constraint notification_settings_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);

alter table feed_uploads add column started_by text collate "C";
