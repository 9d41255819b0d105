-- One store's slow receivers held all slots of the engine. A run can now be under two limits (as Inngest's functions can), of
-- which it waits for one at a time, and what waits for other systems is taken apart from our own work. Of runs that would all
-- do the same, as each look at what an engagement platform is to be sent, only one waits.

ALTER TABLE "job_runs"
  ADD COLUMN "share_key" TEXT COLLATE "C",
  ADD COLUMN "parked_in" TEXT COLLATE "C",
  ADD COLUMN "outside" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "debounce_key" TEXT COLLATE "C";
UPDATE "job_runs" SET "parked_in" = "group_key" WHERE "parked" AND "ended_at" IS NULL;
CREATE INDEX "job_runs_share_key_queued_at_idx" ON "job_runs"("share_key", "queued_at") WHERE (share_key IS NOT NULL AND ended_at IS NULL);
CREATE INDEX "job_runs_parked_in_queued_at_id_idx" ON "job_runs"("parked_in", "queued_at", "id") WHERE (parked_in IS NOT NULL);
CREATE UNIQUE INDEX "job_runs_debounce_key_idx" ON "job_runs"("debounce_key") WHERE (debounce_key IS NOT NULL AND started_at IS NULL AND ended_at IS NULL);
