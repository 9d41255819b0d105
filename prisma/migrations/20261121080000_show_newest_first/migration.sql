-- The display lists a product's or a family's accepted reviews by their date, newest first, and pages on by key. Partial
-- indexes: a review that waits for moderation costs them nothing.
drop index "reviews_product_idx";
create index "reviews_product_shown_idx" on "reviews"("client_id", "product_id", "date", "created_at", "id") where (accepted);
create index "reviews_family_shown_idx" on "reviews"("client_id", "family_id", "date", "created_at", "id") where (accepted);

-- A repeated submission is answered with the id of the row that the first one became. Fingerprints live a minute, so the
-- ones there are need not be kept.
delete from "submissions";
alter table "submissions" add column "subject_id" text collate "C" not null;
