-- Who of a shop's people is told by mail what waits there, how often and at which hour of the shop's day.

create table digests (
  user_id text collate "C" not null references users (id) on delete cascade on update cascade,
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  every text collate "C" not null,
  hour integer not null,
  -- the client's day up to which it is done: no second mail for the same one
  last_day date not null,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint digests_pkey primary key (user_id, client_id),
  constraint digests_every_check check (every in ('day', 'week')),
  constraint digests_hour_check check (hour between 0 and 23)
);
create index digests_client_id_idx on digests (client_id);
