-- Table and column properties that Prisma's schema can't express.

-- Leaves room on the page for the next version of frequently updated rows, so that an update touches no index (HOT).
alter table product_summaries set (fillfactor = 50);
alter table family_summaries set (fillfactor = 50);
alter table seller_summaries set (fillfactor = 50);
alter table review_facets set (fillfactor = 50);
alter table reviews set (fillfactor = 85);

-- The last bundle of a log grows with each batch: compressing it each time would take longer than writing it.
alter table log_bundles alter column entries set storage external;

-- All other text compares in byte order. These columns are never sorted or searched by.
alter table integration_runs alter column error type text collate "default";
alter table integration_runs alter column warning type text collate "default";
alter table lasting_secret alter column key_id type text collate "default";
alter table uploads alter column reject_reason type text collate "default";
alter table webhook_deliveries alter column error type text collate "default";
alter table webhooks alter column last_error type text collate "default";

-- Prisma makes list columns nullable.
alter table idempotency_keys alter column people set not null;
alter table users
  alter column recovery_codes type text[] collate "default",
  alter column recovery_codes set default '{}',
  alter column recovery_codes set not null;

-- Ids that can't be set explicitly by accident.
alter table item_notes alter column id drop default;
drop sequence item_notes_id_seq;
alter table item_notes alter column id add generated always as identity;
alter table job_failures alter column id drop default;
drop sequence job_failures_id_seq;
alter table job_failures alter column id add generated always as identity;
alter table notifications alter column id drop default;
drop sequence notifications_id_seq;
alter table notifications alter column id add generated always as identity;
alter table webhook_deliveries alter column id drop default;
drop sequence webhook_deliveries_id_seq;
alter table webhook_deliveries alter column id add generated always as identity;
alter table review_counts alter column id drop default;
drop sequence review_counts_id_seq;
alter table review_counts alter column id add generated always as identity;

-- What the list of all reviews filters by.
alter table reviews
  add column has_photos boolean not null generated always as (images <> '[]'::jsonb) stored,
  add column has_reply boolean not null generated always as (responses <> '[]'::jsonb) stored;
alter table seller_reviews
  add column has_photos boolean not null generated always as (images <> '[]'::jsonb) stored,
  add column has_reply boolean not null generated always as (responses <> '[]'::jsonb) stored;
alter table questions add column has_photos boolean not null generated always as (images <> '[]'::jsonb) stored;
