-- The embedded engine no longer waits for events, invokes functions or cancels runs: none of ours did.

ALTER TABLE "job_runs" DROP COLUMN "parent_id", DROP COLUMN "parent_step";
ALTER TABLE "job_steps" DROP COLUMN "wait_for", DROP COLUMN "wait_if";
