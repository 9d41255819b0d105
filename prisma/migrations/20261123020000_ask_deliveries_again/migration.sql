-- A delivery is given up after its days. Where a person asks for it again later, those days begin anew, while the row
-- keeps its place in the log: so the moment of asking is a column of its own.
ALTER TABLE "deliveries" ADD COLUMN "asked_at" TIMESTAMPTZ(3);
