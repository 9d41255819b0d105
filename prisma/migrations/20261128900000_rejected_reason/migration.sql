-- The queue filters rejected items by reason: their index holds it, so that the rows are not read.
drop index reviews_rejected_created_idx;
create index reviews_rejected_created_idx on reviews (client_id, created_at, id) include (reject_reason) where accepted = false;
drop index seller_reviews_rejected_created_idx;
create index seller_reviews_rejected_created_idx on seller_reviews (client_id, created_at, id) include (reject_reason) where accepted = false;
drop index questions_rejected_created_idx;
create index questions_rejected_created_idx on questions (client_id, created_at, id) include (reject_reason) where accepted = false;
