-- The public JSON of reviews, seller reviews and questions: written when the row changes, and returned unchanged by
-- lists. Without images (their URLs may be signed), portal_url (it contains the server's name) and the closing brace:
-- the reader appends those.

-- Stable, not immutable, like to_char and to_json: PostgreSQL doesn't inline a function that is stricter than those it
-- calls, and runs it as a separate query.
create function json_time(t timestamptz) returns text language sql stable parallel safe as
$$ select coalesce('"' || to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', 'null') $$;

create function json_text(t text) returns text language sql stable parallel safe as
$$ select coalesce(to_json(t)::text, 'null') $$;

create function review_body(r reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","external_id":' || json_text(r.external_id)
    || ',"type":"customer","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"pros":' || array_to_json(r.pros) || ',"cons":' || array_to_json(r.cons)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer || case when r.incentivized then ',"incentivized":true' else '' end
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"product":' || json_text(r.product_name)
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null and r.recommended is null then r.answers
         else r.answers || jsonb_strip_nulls(jsonb_build_object('title', r.title, 'recommended', r.recommended)) end
    || ',"family_ids":' || case when r.family_id is null then '[]' else '[' || to_json(r.family_id) || ']' end
    || ',"product_ids":' || case when r.product_id is null then '[]' else '[' || to_json(r.product_id) || ']' end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"category":' || json_text(r.category)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"reject_reason":' || json_text(r.reject_reason)
    || ',"verified_email":' || r.verified_email || ',"author_email":' || json_text(r.author_email)
$$;

create function public_body(r seller_reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer || case when r.incentivized then ',"incentivized":true' else '' end
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null then r.answers else r.answers || jsonb_build_object('title', r.title) end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"author_email":' || json_text(r.author_email)
$$;

-- Accepted answers only: the JSON doesn't contain an answer's state.
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

-- All times of a test store's rows are being moved into the past (lib/test-clock), which is no change of the rows.
create function is_moving_times() returns boolean language sql stable parallel safe as
$$ select coalesce(current_setting('candor.moving_times', true), '') = 'on' $$;

-- updated_at changes with every change that readers can see, and only then.
create function keep_review_body() returns trigger language plpgsql as $$
begin
  if is_moving_times() then
    new.body := review_body(new);
    return new;
  end if;
  if tg_op = 'UPDATE' then
    new.updated_at := old.updated_at;
    new.body := review_body(new);
    if new.body = old.body and new.images = old.images then return new; end if;
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  new.body := review_body(new);
  return new;
end $$;
create trigger reviews_keep_body before insert or update on reviews for each row execute function keep_review_body();

-- The row is locked when this runs, so of two concurrent answers the second sees the first.
create function keep_public_body() returns trigger language plpgsql as $$
begin
  if is_moving_times() then
    new.body := public_body(new);
    return new;
  end if;
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
