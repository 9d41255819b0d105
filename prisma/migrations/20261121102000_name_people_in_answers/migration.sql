-- An answer kept for a repeated request may hold a person's name, address and words. It says whose, by keyed hash, so
-- that an erasure finds it without reading a day of answers.
ALTER TABLE "idempotency_keys" ADD COLUMN "people" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "idempotency_keys_people_idx" ON "idempotency_keys" USING GIN ("people");
