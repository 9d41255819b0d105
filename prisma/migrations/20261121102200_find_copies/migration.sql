-- An erasure looks for hundreds of ids at once. A list of entries still to be sorted in would be read for each of them;
-- and facts that were told get the same index, at the time they are told and not when they are written.
ALTER INDEX "job_runs_data_idx" SET (fastupdate = off);
CREATE INDEX "outbox_data_idx" ON "outbox" USING GIN ("data" jsonb_path_ops) WITH (fastupdate = off) WHERE (relayed_at IS NOT NULL);
