-- What a killed process was delivering waited for its lease to run out. With the process written beside the lease, whoever starts
-- next takes it back at once where that process is dead.

ALTER TABLE "mails" ADD COLUMN "leased_by" INTEGER;
CREATE INDEX "mails_leased_by_idx" ON "mails"("leased_by") WHERE (leased_by IS NOT NULL);
ALTER TABLE "deliveries" ADD COLUMN "leased_by" INTEGER;
CREATE INDEX "deliveries_leased_by_idx" ON "deliveries"("leased_by") WHERE (leased_by IS NOT NULL);
ALTER TABLE "webhook_deliveries" ADD COLUMN "leased_by" INTEGER;
CREATE INDEX "webhook_deliveries_leased_by_idx" ON "webhook_deliveries"("leased_by") WHERE (leased_by IS NOT NULL);
