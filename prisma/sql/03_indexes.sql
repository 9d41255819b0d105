-- Indexes that Prisma's schema can't express.

-- Displayed reviews of a product and of a family, most helpful first.
create index reviews_product_helpful_idx on reviews (client_id, product_id, (votes_up - votes_down), date, created_at, id)
  where accepted;
create index reviews_family_helpful_idx on reviews (client_id, family_id, (votes_up - votes_down), date, created_at, id)
  where accepted;

-- For erasures, which search runs and outbox events by their data. Without fastupdate, so that no reader scans a
-- pending list.
create index job_runs_data_idx on job_runs using gin ((event -> 'data') jsonb_path_ops) with (fastupdate = off);
alter index outbox_data_idx set (fastupdate = off);

-- Whether a run for a webhook is already pending.
create index outbox_webhook_due_idx on outbox ((data ->> 'webhook_id')) where relayed_at is null and name = 'webhook/due';

-- A job of the whole installation has no client, but has at most one row, too.
drop index job_failures_job_client_id_part_key;
alter table job_failures add constraint job_failures_job_client_id_part_key unique nulls not distinct (job, client_id, part);

-- The portal's list of all reviews: filtering and counting read only these.
create index reviews_listed_idx on reviews (client_id, score, date, created_at, id)
  include (accepted, lang, source, verified_buyer, has_photos, has_reply, product_id, family_id, reject_reason);
create index seller_reviews_listed_idx on seller_reviews (client_id, score, date, created_at, id)
  include (accepted, lang, source, verified_buyer, has_photos, has_reply, reject_reason);
create index questions_listed_idx on questions (client_id, date, created_at, id)
  include (accepted, lang, source, answer_count, has_photos, product_id, family_id, reject_reason);
-- Rows with few values of a filter, in the order of the list: without these, a rare filter reads the whole list.
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
create index products_brand_idx on products (client_id, lower(brand)) where brand is not null;
-- Counts of reviews by day that aren't summed up yet.
create index review_counts_changes_idx on review_counts (client_id, date) where not folded;
create index products_category_idx on products (client_id, lower(category)) where category is not null;
-- The portal's list of photos, and of hidden ones.
create index uploads_listed_idx on uploads (client_id, claimed_at, token)
  where subject_kind in ('review', 'seller_review', 'question');
create index uploads_hidden_idx on uploads (client_id, claimed_at, token)
  where subject_kind in ('review', 'seller_review', 'question') and hidden_at is not null;
-- Edits, for the filter by a changed score.
create index moderation_events_edits_idx on moderation_events (client_id, kind, subject_id) where action = 'edited';
-- What people rejected, for the reasons that a store uses most.
create index moderation_events_rejected_idx on moderation_events (client_id, at) include (reason)
  where to_state = 'rejected' and actor_kind = 'user';

-- Without fastupdate, so that no reader scans a pending list.
alter index review_words_words_idx set (fastupdate = off);
alter index seller_review_words_words_idx set (fastupdate = off);
alter index question_words_words_idx set (fastupdate = off);

-- Something that happens again before a person has read it is counted in the same notification.
create unique index notifications_unread_key on notifications (user_id, client_id, dedupe_key) nulls not distinct
  where read_at is null;
create index notifications_to_email_idx on notifications (user_id)
  where by_email and emailed_at is null and read_at is null;

-- Votes and reports that still have a hash of the address: a job removes it after a day.
create index votes_by_address_idx on votes (created_at) where voter like '%.%';
create index flags_by_address_idx on flags (created_at) where voter like '%.%';
