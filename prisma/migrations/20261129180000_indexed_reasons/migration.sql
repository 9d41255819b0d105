-- Rejected items by reason; items without a delivery date and failed invitations, for the orders that weren't invited.
-- Each list read thousands of other rows before. Building the indexes takes about a second per million rows, during which
-- nothing can be written. The replaced indexes are dropped last, since that blocks reading, too.
alter index reviews_rejected_created_idx rename to reviews_rejected_old_idx;
create index reviews_rejected_created_idx on reviews (client_id, created_at, id) where accepted = false;
create index reviews_rejected_reason_idx on reviews (client_id, reject_reason, created_at, id) where accepted = false;
alter index seller_reviews_rejected_created_idx rename to seller_reviews_rejected_old_idx;
create index seller_reviews_rejected_created_idx on seller_reviews (client_id, created_at, id) where accepted = false;
create index seller_reviews_rejected_reason_idx on seller_reviews (client_id, reject_reason, created_at, id) where accepted = false;
alter index questions_rejected_created_idx rename to questions_rejected_old_idx;
create index questions_rejected_created_idx on questions (client_id, created_at, id) where accepted = false;
create index questions_rejected_reason_idx on questions (client_id, reject_reason, created_at, id) where accepted = false;

create index order_items_undated_idx on order_items (client_id, order_id) where delivery_date is null;
create index invitations_failed_idx on invitations (client_id) where status = 'failed' and sent_at is null;

drop index reviews_rejected_old_idx, seller_reviews_rejected_old_idx, questions_rejected_old_idx;
