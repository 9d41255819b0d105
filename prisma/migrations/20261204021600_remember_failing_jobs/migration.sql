-- Jobs whose last run failed, by store. The engine's own runs do not say it: they are Inngest's where it runs the functions,
-- and a run that failed is no news once the same job has succeeded.
create table "job_failures" (
  "id" bigint generated always as identity,
  "job" text collate "C" not null,
  "client_id" text collate "C" references "clients" ("id") on delete cascade,
  "part" text collate "C" not null default '',
  "run_id" text collate "C" not null,
  "failed_since" timestamptz(3) not null default now(),
  "failed_at" timestamptz(3) not null default now(),
  constraint "job_failures_pkey" primary key ("id"),
  constraint "job_failures_job_client_id_part_key" unique nulls not distinct ("job", "client_id", "part")
);
create index "job_failures_client_id_idx" on "job_failures" ("client_id");
