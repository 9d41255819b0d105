-- Where a client confirms addresses, what somebody sent waits until a link mailed to its author's address is used. `due`:
-- the author is to be asked; `mailed`: was asked; null: nobody need be, or it is done. The row says so, and not the
-- client's setting, so that what came before the setting was switched on is not taken for waiting.

alter table "reviews" add column "verification" text collate "C";
alter table "questions" add column "verification" text collate "C";
alter table "reviews" add constraint "reviews_verification_check" check (verification in ('due', 'mailed'));
alter table "questions" add constraint "questions_verification_check" check (verification in ('due', 'mailed'));

-- What waits for its author, in the queue's order. Nothing else is in it.
create index "reviews_unverified_idx" on "reviews"("client_id", "created_at", "id")
  where (verification is not null and accepted is null);
