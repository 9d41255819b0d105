-- Feeds are fetched by a schedule, and files are uploaded in parts. An address may hold a user, a password or a key: it is
-- kept sealed, and `url` is what may be shown of it. What became of the last run stands with the setting, since a run that
-- finds nothing new leaves no import.
alter table "feeds"
  add column "sealed_url" bytea not null default '',
  add column "next_run_at" timestamptz(3),
  add column "asked_at" timestamptz(3),
  add column "last_outcome" text collate "C",
  add column "last_error" text collate "C",
  add constraint "feeds_last_outcome_check" check (last_outcome in ('imported', 'unchanged', 'refused', 'failed'));

-- What is due, for all clients at once.
create index "feeds_due_idx" on "feeds"("next_run_at") where (enabled);

-- A file that somebody uploads to be imported. Its parts lie in the store of files until the import is done.
create table "feed_uploads" (
  "client_id" text collate "C" not null,
  "id" text collate "C" not null,
  "kind" text collate "C" not null,
  "filename" text collate "C" not null,
  "import_id" text collate "C",
  "parts" integer,
  "created_at" timestamptz(3) not null default current_timestamp,
  constraint "feed_uploads_pkey" primary key ("client_id", "id"),
  constraint "feed_uploads_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
);
create unique index "feed_uploads_client_id_import_id_key" on "feed_uploads"("client_id", "import_id");
create index "feed_uploads_created_at_idx" on "feed_uploads"("created_at");
