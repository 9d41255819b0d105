-- What became of each run of an integration, so that a person sees why nothing came in last night.
create table "integration_runs" (
  "client_id" text collate "C" not null,
  "id" text collate "C" not null,
  "type" text collate "C" not null,
  "started_at" timestamptz(3) not null default current_timestamp,
  "finished_at" timestamptz(3),
  "outcome" text collate "C" not null default 'running',
  "counts" jsonb not null default '{}',
  "error" text,
  constraint "integration_runs_pkey" primary key ("client_id", "id"),
  constraint "integration_runs_outcome_check" check (outcome in ('running', 'done', 'failed')),
  constraint "integration_runs_client_id_type_fkey" foreign key ("client_id", "type")
    references "integrations"("client_id", "type") on delete cascade on update cascade
);
create index "integration_runs_client_id_type_started_at_id_idx" on "integration_runs"("client_id", "type", "started_at", "id");

-- How fast partners may be asked, whichever process asks and for whichever client: the next free moment of each.
create table "partner_paces" (
  "key" text collate "C" not null,
  "next_at" timestamptz(3) not null,
  constraint "partner_paces_pkey" primary key ("key")
);
create index "partner_paces_next_at_idx" on "partner_paces"("next_at");
