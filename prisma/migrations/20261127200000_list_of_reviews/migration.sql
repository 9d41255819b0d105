-- What the portal's list of all reviews filters by, in one index of each table, so that filtering and counting read no
-- texts. Rewrites the tables, which takes about a minute per million reviews, during which nothing can be
-- read or written: stop other instances first.

alter table reviews
  add column has_photos boolean not null generated always as (images <> '[]'::jsonb) stored,
  add column has_reply boolean not null generated always as (responses <> '[]'::jsonb) stored;
alter table seller_reviews
  add column has_photos boolean not null generated always as (images <> '[]'::jsonb) stored,
  add column has_reply boolean not null generated always as (responses <> '[]'::jsonb) stored;
alter table questions add column has_photos boolean not null generated always as (images <> '[]'::jsonb) stored;

create index reviews_listed_idx on reviews (client_id, score, date, created_at, id)
  include (accepted, lang, source, verified_buyer, has_photos, has_reply, product_id, family_id, reject_reason);
create index seller_reviews_listed_idx on seller_reviews (client_id, score, date, created_at, id)
  include (accepted, lang, source, verified_buyer, has_photos, has_reply, reject_reason);
create index questions_listed_idx on questions (client_id, date, created_at, id)
  include (accepted, lang, source, answer_count, has_photos, product_id, family_id, reject_reason);
create index products_brand_idx on products (client_id, lower(brand)) where brand is not null;
-- The portal's list of photos, and of hidden ones.
create index uploads_listed_idx on uploads (client_id, claimed_at, token)
  where subject_kind in ('review', 'seller_review', 'question');
create index uploads_hidden_idx on uploads (client_id, claimed_at, token)
  where subject_kind in ('review', 'seller_review', 'question') and hidden_at is not null;
-- Edits, for the filter by a changed score.
create index moderation_events_edits_idx on moderation_events (client_id, kind, subject_id) where action = 'edited';

-- The words of texts, by which they are found. A job writes them: with an index on the texts themselves, storing
-- reviews would take half as long again. `text_at`: the `updated_at` of the text they were taken from.
create table review_words (
  client_id text collate "C" not null,
  id text collate "C" not null,
  text_at timestamptz(3) not null,
  words tsvector not null,
  primary key (client_id, id),
  foreign key (client_id, id) references reviews (client_id, id) on update cascade on delete cascade
);
create index review_words_client_id_text_at_idx on review_words (client_id, text_at);
create table seller_review_words (
  client_id text collate "C" not null,
  id text collate "C" not null,
  text_at timestamptz(3) not null,
  words tsvector not null,
  primary key (client_id, id),
  foreign key (client_id, id) references seller_reviews (client_id, id) on update cascade on delete cascade
);
create index seller_review_words_client_id_text_at_idx on seller_review_words (client_id, text_at);
create table question_words (
  client_id text collate "C" not null,
  id text collate "C" not null,
  text_at timestamptz(3) not null,
  words tsvector not null,
  primary key (client_id, id),
  foreign key (client_id, id) references questions (client_id, id) on update cascade on delete cascade
);
create index question_words_client_id_text_at_idx on question_words (client_id, text_at);
create index review_words_words_idx on review_words using gin (words) with (fastupdate = off);
create index seller_review_words_words_idx on seller_review_words using gin (words) with (fastupdate = off);
create index question_words_words_idx on question_words using gin (words) with (fastupdate = off);
