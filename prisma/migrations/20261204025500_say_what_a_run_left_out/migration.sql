-- What a run left out is said with that run: the next one has its own, and its place was with the integration alone.
alter table "integration_runs" add column "warning" text;
