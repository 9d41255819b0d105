-- Seller reviews and questions are listed and synchronised as reviews are: their public JSON is written once, when it
-- changes, and `updated_at` moves exactly then. What nobody can read (counters of flags, a pending answer) no longer moves
-- it. Questions get an index for each state in each order.

alter table "seller_reviews" add column "body" text collate "C" not null default '';
alter table "questions" add column "body" text collate "C" not null default '';

create index "questions_pending_updated_idx" on "questions"("client_id", "updated_at", "id") where (accepted is null);
create index "questions_rejected_created_idx" on "questions"("client_id", "created_at", "id") where (accepted = false);
create index "questions_rejected_updated_idx" on "questions"("client_id", "updated_at", "id") where (accepted = false);

-- As review_body: without images (their addresses may be signed), portal_url (it names the server) and the closing brace.
create function public_body(r seller_reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null then r.answers else r.answers || jsonb_build_object('title', r.title) end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"author_email":' || json_text(r.author_email)
$$;

-- Accepted answers only: their readers cannot tell the state of one.
create function public_body(q questions) returns text language sql stable parallel safe as $$
  select '{"id":"' || q.id || '","author":' || json_text(q.author)
    || ',"date":"' || to_char(q.date, 'YYYY-MM-DD')
    || '","question":' || json_text(q.question) || ',"details":' || json_text(q.details)
    || ',"lang":' || json_text(q.lang) || ',"product":' || json_text(q.product_name)
    || ',"product_ids":' || case when q.product_id is null then '[]' else '[' || to_json(q.product_id) || ']' end
    || ',"family_ids":' || case when q.family_id is null then '[]' else '[' || to_json(q.family_id) || ']' end
    || ',"answers":' || (
      select coalesce(jsonb_agg(jsonb_build_object('author', a.author, 'date', to_char(a.date, 'YYYY-MM-DD'), 'answer', a.answer,
               'lang', a.lang) order by a.created_at, a.id), '[]')
        from answers a where a.client_id = q.client_id and a.question_id = q.id and a.accepted)
    || ',"properties":' || q.answers_given
    || ',"author_email":' || json_text(q.author_email) || ',"mail_answer":' || q.mail_answer
    || ',"accepted":' || coalesce(q.accepted::text, 'null') || ',"accepted_at":' || json_time(q.accepted_at)
    || ',"reject_reason":' || json_text(q.reject_reason)
    || ',"updated_at":' || json_time(q.updated_at)
$$;

-- Rows that are there keep the moment of their last change.
drop trigger seller_reviews_keep_updated_at on seller_reviews;
drop trigger questions_keep_updated_at on questions;
update seller_reviews s set body = public_body(s);
update questions q set body = public_body(q);

-- updated_at moves at every change a reader can see, and at no other. The row is held when this runs, so that of two
-- answers at once the second sees the first.
create function keep_public_body() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.updated_at := old.updated_at;
    new.body := public_body(new);
    if new.body = old.body and new.images = old.images then return new; end if;
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  new.body := public_body(new);
  return new;
end $$;
create trigger seller_reviews_keep_body before insert or update on seller_reviews
  for each row execute function keep_public_body();
create trigger questions_keep_body before insert or update on questions
  for each row execute function keep_public_body();
