-- Home says what failed and shows it; these hold nothing but failures, so looking costs the same however much went well.

create index "mails_failed_idx" on "mails" ("client_id", "created_at", "id") where (status = 'failed');
create index "deliveries_failed_idx" on "deliveries" ("client_id", "created_at", "id") where (outcome = 'failed');
create index "job_runs_failed_idx" on "job_runs" ("queued_at", "id") where (status = 'failed');
