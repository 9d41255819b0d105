-- Erasing a person: a request is a row only while it is under way, so that nothing of it is left when it is done (the
-- audit tells that it was). Its identifier is sealed; who asked and what went so far stand beside it for the audit.
ALTER TABLE "deletion_requests"
  DROP COLUMN "status",
  DROP COLUMN "requested_by",
  DROP COLUMN "finished_at",
  ALTER COLUMN "sealed" SET NOT NULL,
  ADD COLUMN "actor_kind" TEXT COLLATE "C" NOT NULL,
  ADD COLUMN "actor_id" TEXT COLLATE "C" NOT NULL,
  ADD COLUMN "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE UNIQUE INDEX "deletion_requests_client_id_person_hash_key" ON "deletion_requests"("client_id", "person_hash");
DROP INDEX "deletion_requests_client_id_created_at_id_idx";
CREATE INDEX "deletion_requests_touched_at_idx" ON "deletion_requests"("touched_at");

-- The hash of somebody who was erased stays as long as their quarantine runs, and no longer.
ALTER TABLE "quarantines" ADD COLUMN "erased_until" DATE;
CREATE INDEX "quarantines_erased_until_idx" ON "quarantines"("erased_until") WHERE (erased_until IS NOT NULL);

-- Copies are found by what they are about.
CREATE INDEX "deliveries_client_id_subject_idx" ON "deliveries"("client_id", "subject");
CREATE INDEX "job_runs_data_idx" ON "job_runs" USING GIN ((event -> 'data') jsonb_path_ops);
