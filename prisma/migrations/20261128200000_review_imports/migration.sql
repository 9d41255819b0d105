-- Imports of reviews, and what each created, so that it can be undone. Earlier imports stay in feed_imports.

create table review_imports (
  client_id text collate "C" not null references clients (id) on update cascade on delete cascade,
  id text collate "C" not null,
  kind text collate "C" not null,
  layout text collate "C" not null,
  filename text collate "C" not null,
  parts integer,
  columns jsonb not null default '[]',
  mapping jsonb not null default '{}',
  pending boolean not null default false,
  fetch_photos boolean not null default false,
  status text collate "C" not null,
  failed_step text collate "C",
  read integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  processed integer not null default 0,
  total integer not null default 0,
  report jsonb not null default '{}',
  error text collate "C",
  requested_by text collate "C",
  created_at timestamptz(3) not null default current_timestamp,
  touched_at timestamptz(3) not null default current_timestamp,
  imported_at timestamptz(3),
  undone_at timestamptz(3),
  primary key (client_id, id),
  constraint review_imports_kind_check check (kind in ('reviews', 'seller_reviews', 'questions')),
  constraint review_imports_status_check check (status in
    ('uploaded', 'checking', 'checked', 'importing', 'imported', 'failed', 'undoing', 'undone')),
  constraint review_imports_failed_step_check check ((status = 'failed') = (failed_step is not null) and failed_step in ('check', 'import', 'undo'))
);
create index review_imports_client_id_created_at_id_idx on review_imports (client_id, created_at, id);
create index review_imports_created_at_idx on review_imports (created_at);

create table review_import_items (
  client_id text collate "C" not null,
  import_id text collate "C" not null,
  id text collate "C" not null,
  primary key (client_id, import_id, id),
  foreign key (client_id, import_id) references review_imports (client_id, id) on update cascade on delete cascade
);
