-- When a mail is being handed to its provider, so that two processes never hand over the same one, and so that one
-- whose process died in between can be told from one that nobody has touched yet.
ALTER TABLE "mails" ADD COLUMN "handed_at" TIMESTAMPTZ(3);
