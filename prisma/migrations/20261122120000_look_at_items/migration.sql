-- Who looks at what in the queue: one row a person and client, which their next look takes the place of.
create table queue_looks (
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  user_id text collate "C" not null references users (id) on delete cascade on update cascade,
  kind text collate "C" not null,
  subject_id text collate "C" not null,
  began_at timestamptz(3) not null default current_timestamp,
  seen_at timestamptz(3) not null default current_timestamp,
  constraint queue_looks_pkey primary key (client_id, user_id)
);
create index queue_looks_client_id_subject_id_idx on queue_looks (client_id, subject_id);
