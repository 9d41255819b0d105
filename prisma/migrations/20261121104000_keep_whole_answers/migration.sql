-- An answer to a request with an Idempotency-Key is kept when it is given, in the transaction of what it tells of, and
-- never before: who is at work holds a lock instead of a row. So every row has a status. Headers belong to an answer, and
-- a client's answers go with the client.
DELETE FROM "idempotency_keys"; -- no release has written any
ALTER TABLE "idempotency_keys" ALTER COLUMN "status" SET NOT NULL;
ALTER TABLE "idempotency_keys" ADD COLUMN "headers" JSONB NOT NULL DEFAULT '{}';
CREATE INDEX "idempotency_keys_client_id_idx" ON "idempotency_keys"("client_id");
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
