-- What the embedded engine needs to drive a run: who holds it now (and a counter that shuts out a holder believed
-- dead), what started it, and where it waits for its turn. An outbox row remembers the run and the clock it was
-- written under, so that all that one run causes can be told apart and sees the same time.

ALTER TABLE "outbox"
  ADD COLUMN "origin_id" TEXT COLLATE "C",
  ADD COLUMN "clock_at" TIMESTAMPTZ(3);
CREATE INDEX "outbox_origin_id_idx" ON "outbox"("origin_id") WHERE (relayed_at IS NULL AND origin_id IS NOT NULL);

ALTER TABLE "job_runs"
  ADD COLUMN "origin_id" TEXT COLLATE "C",
  ADD COLUMN "group_key" TEXT COLLATE "C",
  ADD COLUMN "parked" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "held_by" INTEGER,
  ADD COLUMN "lease" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "recoveries" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "job_runs_origin_id_idx" ON "job_runs"("origin_id") WHERE (origin_id IS NOT NULL);
CREATE INDEX "job_runs_held_by_idx" ON "job_runs"("held_by") WHERE (status = 'running');
CREATE INDEX "job_runs_group_key_queued_at_idx" ON "job_runs"("group_key", "queued_at") WHERE (group_key IS NOT NULL AND ended_at IS NULL);
CREATE INDEX "job_runs_function_id_open_idx" ON "job_runs"("function_id", "id") WHERE (ended_at IS NULL);
