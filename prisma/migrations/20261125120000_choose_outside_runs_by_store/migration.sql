-- Which run that waits for another system goes next is chosen by store, from the runs themselves.

CREATE INDEX "job_runs_outside_idx" ON "job_runs"("queued_at", "id") WHERE (outside AND ended_at IS NULL AND NOT parked);
