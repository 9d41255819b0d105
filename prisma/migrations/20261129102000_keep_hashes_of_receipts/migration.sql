-- Of a data share receipts are known as well: a line may name nobody but its receipt, whatever number the order has.
ALTER TABLE "erased_hashes" DROP CONSTRAINT "erased_hashes_what_check";
ALTER TABLE "erased_hashes" ADD CONSTRAINT "erased_hashes_what_check"
  CHECK (what IN ('order', 'contact', 'receipt', 'customer', 'email'));
