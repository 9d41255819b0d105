-- Merchants answer questions in the portal, and decide on seller reviews, questions and answers in one queue with reviews:
-- its lists of every kind have an index in their order, and published questions without an answer are found at once.

alter table answers add column decided_at timestamptz(3);

create index questions_unanswered_idx on questions (client_id, created_at, id) where (accepted AND answer_count = 0);
create index questions_unverified_idx on questions (client_id, created_at, id)
  where (verification IS NOT NULL AND accepted IS NULL);
create index seller_reviews_rejected_created_idx on seller_reviews (client_id, created_at, id) where (accepted = false);
create index seller_reviews_client_id_order_id_idx on seller_reviews (client_id, order_id) where (order_id IS NOT NULL);
create index answers_client_id_created_at_id_idx on answers (client_id, created_at, id);
create index answers_pending_idx on answers (client_id, created_at, id) where (accepted IS NULL);
