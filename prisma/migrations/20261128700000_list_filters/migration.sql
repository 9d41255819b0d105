-- Indexes for the filters of the portal's list of all reviews: a rare language, source, product or reason read the whole
-- list, which takes up to half a second at a million reviews. Building them takes about 20 seconds per million reviews, during which
-- nothing can be written.

create index reviews_listed_product_idx on reviews (client_id, product_id, score, date, created_at, id);
create index reviews_listed_lang_idx on reviews (client_id, lang, score, date, created_at, id);
create index reviews_listed_source_idx on reviews (client_id, source, score, date, created_at, id);
create index reviews_listed_verified_idx on reviews (client_id, verified_buyer, score, date, created_at, id);
create index reviews_listed_photos_idx on reviews (client_id, score, date, created_at, id) where has_photos;
create index reviews_listed_replied_idx on reviews (client_id, score, date, created_at, id) where has_reply;
create index reviews_listed_rejected_idx on reviews (client_id, score, date, created_at, id) where accepted = false;
create index reviews_listed_reason_idx on reviews (client_id, reject_reason, score, date, created_at, id) where reject_reason is not null;
create index seller_reviews_listed_photos_idx on seller_reviews (client_id, score, date, created_at, id) where has_photos;
create index seller_reviews_listed_replied_idx on seller_reviews (client_id, score, date, created_at, id) where has_reply;
create index seller_reviews_listed_rejected_idx on seller_reviews (client_id, score, date, created_at, id) where accepted = false;
create index seller_reviews_listed_reason_idx on seller_reviews (client_id, reject_reason, score, date, created_at, id) where reject_reason is not null;
create index seller_reviews_listed_lang_idx on seller_reviews (client_id, lang, score, date, created_at, id);
create index seller_reviews_listed_source_idx on seller_reviews (client_id, source, score, date, created_at, id);
create index questions_listed_photos_idx on questions (client_id, date, created_at, id) where has_photos;
create index questions_listed_answered_idx on questions (client_id, date, created_at, id) where answer_count > 0;
create index questions_listed_unanswered_idx on questions (client_id, date, created_at, id) where answer_count <= 0;
create index questions_listed_rejected_idx on questions (client_id, date, created_at, id) where accepted = false;
create index questions_listed_reason_idx on questions (client_id, reject_reason, date, created_at, id) where reject_reason is not null;
create index questions_listed_lang_idx on questions (client_id, lang, date, created_at, id);
create index questions_listed_source_idx on questions (client_id, source, date, created_at, id);
