-- Replies and answers are part of their review's or question's public JSON.

create function keep_updated_at() returns trigger language plpgsql as $$
begin
  if is_moving_times() then return new; end if;
  new.updated_at := old.updated_at;
  if to_jsonb(new) - 'flag_count' is distinct from to_jsonb(old) - 'flag_count' then
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  return new;
end $$;
create trigger answers_keep_updated_at before update on answers for each row execute function keep_updated_at();
create trigger responses_keep_updated_at before update on responses for each row execute function keep_updated_at();

create function touch_question() returns trigger language plpgsql as $$
begin
  update questions set answers_version = answers_version + 1
   where client_id = coalesce(new.client_id, old.client_id) and id = coalesce(new.question_id, old.question_id);
  return null;
end $$;
create trigger answers_touch_question after insert or update or delete on answers for each row execute function touch_question();

-- Every change of an answer updates its question, which is locked when this runs: of two concurrent answers the second
-- counts the first.
create function count_answers() returns trigger language plpgsql as $$
begin
  new.answer_count := (select count(*) from answers a
    where a.client_id = new.client_id and a.question_id = new.id and a.accepted);
  return new;
end $$;
create trigger questions_count_answers before insert or update on questions
  for each row execute function count_answers();

-- Of two concurrent replies the second waits and lists both. An imported review is inserted with its replies, so it
-- isn't updated again if it already shows them.
create function keep_responses() returns trigger language plpgsql as $$
declare
  c text := coalesce(new.client_id, old.client_id);
  k text := coalesce(new.kind, old.kind);
  s text := coalesce(new.subject_id, old.subject_id);
  list jsonb;
begin
  if k = 'review' then
    perform from reviews where client_id = c and id = s for no key update;
  else
    perform from seller_reviews where client_id = c and id = s for no key update;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('author', author, 'date', to_char(date, 'YYYY-MM-DD'), 'extract', extract,
           'lang', lang, 'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by created_at, id), '[]')
    into list from responses where client_id = c and kind = k and subject_id = s;
  if k = 'review' then
    update reviews set responses = list where client_id = c and id = s and responses is distinct from list;
  else
    update seller_reviews set responses = list where client_id = c and id = s and responses is distinct from list;
  end if;
  return null;
end $$;
create trigger responses_keep after insert or update or delete on responses for each row execute function keep_responses();
