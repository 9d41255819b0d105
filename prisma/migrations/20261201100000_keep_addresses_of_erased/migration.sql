-- What a file tells may name nobody but an address: that of a customer who is erased by their id while it is read is known as
-- well, for as long as people are. It counts for what names no customer only, since it may be another customer's too.
ALTER TABLE "erased_hashes" DROP CONSTRAINT "erased_hashes_what_check";
ALTER TABLE "erased_hashes" ADD CONSTRAINT "erased_hashes_what_check"
  CHECK (what IN ('order', 'contact', 'receipt', 'customer', 'email', 'address'));
DROP INDEX "erased_hashes_people_idx";
CREATE INDEX "erased_hashes_people_idx" ON "erased_hashes"("client_id", "erased_at") WHERE (what IN ('customer', 'email', 'address'));
