-- A delivery that got through after refusals no longer showed them. Every try is kept with its delivery: it is purged and erased
-- with it, since an answer may repeat what was sent.

ALTER TABLE "webhook_deliveries" ADD COLUMN "attempt_log" JSONB NOT NULL DEFAULT '[]';
