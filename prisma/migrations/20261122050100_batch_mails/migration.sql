-- Mails handed over in one call share its idempotency key, and a repetition is one only if it brings the same mails. So
-- a mail remembers its batch until it is known what became of it.

alter table "mails" add column "batch" text collate "C";
create index "mails_batch_idx" on "mails"("batch") where (batch is not null);
