-- Since when a mail may have gone without anybody knowing: the answer was lost, or the process died. A service drops
-- repetitions for a limited time only, which counts from the first such try and not from the last.
ALTER TABLE "mails" ADD COLUMN "doubtful_since" TIMESTAMPTZ(3);
