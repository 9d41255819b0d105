-- What Prisma's schema cannot say of an index.

-- What is displayed, most helpful first, of a product and of a family.
create index reviews_product_helpful_idx on reviews (client_id, product_id, (votes_up - votes_down), date, created_at, id)
  where accepted;
create index reviews_family_helpful_idx on reviews (client_id, family_id, (votes_up - votes_down), date, created_at, id)
  where accepted;

-- An erasure finds the runs and facts that a row started. Without fastupdate, so that no reader searches a pending list.
create index job_runs_data_idx on job_runs using gin ((event -> 'data') jsonb_path_ops) with (fastupdate = off);
alter index outbox_data_idx set (fastupdate = off);

-- Whether a webhook has a run coming already.
create index outbox_webhook_due_idx on outbox ((data ->> 'webhook_id')) where relayed_at is null and name = 'webhook/due';

-- A job of the whole installation has no client, and fails once all the same.
drop index job_failures_job_client_id_part_key;
alter table job_failures add constraint job_failures_job_client_id_part_key unique nulls not distinct (job, client_id, part);
