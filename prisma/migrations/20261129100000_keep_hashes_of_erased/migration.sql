-- An erased person must not come back by what is told of them again, or was being read while they were erased: by the feed
-- that has their orders still, by a shop, by a data share. What went is known by keyed hashes, which tell nobody whose it
-- was, in one place for all of these. Until now only what came from other systems was, among the deliveries of each.
CREATE TABLE "erased_hashes" (
    "client_id" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "what" TEXT COLLATE "C" NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erased_hashes_pkey" PRIMARY KEY ("client_id","hash"),
    CONSTRAINT "erased_hashes_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "erased_hashes_what_check" CHECK (what IN ('order', 'contact', 'customer', 'email'))
);

-- Those of people go after some days: only what was being read while they were erased asks for them.
CREATE INDEX "erased_hashes_people_idx" ON "erased_hashes"("client_id", "erased_at") WHERE (what IN ('customer', 'email'));

INSERT INTO "erased_hashes" ("client_id", "hash", "what", "erased_at")
SELECT client_id, subject, CASE kind WHEN 'order_erased' THEN 'order' ELSE 'contact' END, min(created_at)
  FROM "deliveries" WHERE kind IN ('order_erased', 'contact_erased') GROUP BY client_id, subject, kind;
DELETE FROM "deliveries" WHERE kind IN ('order_erased', 'contact_erased');

-- Orders from other systems were noted before they were stored, so that an erasure found them; now their stores and erasures
-- wait for each other. Notes that a crash left are of no use.
DELETE FROM "deliveries" WHERE type IN ('commerce', 'share') AND kind = 'order' AND outcome = 'pending';
