-- Quarantine and suppression know people by keyed hashes, which outlive an erasure. With the hashes on the customer's
-- row the planner joins them in SQL instead of asking customer by customer.
alter table "customers"
  add column "id_hash" text collate "C" not null,
  add column "email_hash" text collate "C";
