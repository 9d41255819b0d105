-- What the page with a store's first steps can't see in other tables: steps that were skipped, the results of its checks,
-- and whether the home page still shows it. Stores that already publish reviews don't need it there.

create table store_setup (
  client_id text collate "C" not null primary key,
  skipped text[] collate "C" default array[]::text[],
  dismissed_at timestamptz(3),
  platform text collate "C",
  sender_check jsonb,
  widget_check jsonb,
  widget_found_at timestamptz(3),
  updated_at timestamptz(3) not null default current_timestamp,
  foreign key (client_id) references clients (id) on update cascade on delete cascade
);

insert into store_setup (client_id, dismissed_at)
  select id, now() from clients c where exists (select from reviews r where r.client_id = c.id and r.accepted);
