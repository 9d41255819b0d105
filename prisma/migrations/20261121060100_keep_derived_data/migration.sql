-- What the database itself keeps true, whoever writes: the public JSON of a review, the moment it last changed for a
-- reader, the counts of accepted reviews, the append-only history. Statement-level triggers see all rows of a
-- statement at once, so a batch of a hundred reviews of one product costs one counter update.

-- ── Rules that hold for every row ────────────────────────────────────────────────────────────────────────────────

alter table reviews
  add constraint reviews_score_check check (score between 1 and 5),
  add constraint reviews_reason_check check (reject_reason is null or accepted = false),
  add constraint reviews_accepted_at_check check ((accepted_at is not null) = (accepted is true)),
  add constraint reviews_source_check check (source in ('invitation', 'web', 'collect', 'api', 'import')),
  add constraint reviews_subject_check check (product_id is not null or family_id is not null);
alter table seller_reviews
  add constraint seller_reviews_score_check check (score between 1 and 5),
  add constraint seller_reviews_reason_check check (reject_reason is null or accepted = false),
  add constraint seller_reviews_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table questions
  add constraint questions_reason_check check (reject_reason is null or accepted = false),
  add constraint questions_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table answers
  add constraint answers_reason_check check (reject_reason is null or accepted = false),
  add constraint answers_accepted_at_check check ((accepted_at is not null) = (accepted is true));
alter table users
  add constraint users_role_check check (role in ('operator', 'admin', 'moderator', 'viewer')),
  add constraint users_account_check check (role = 'operator' or account_id is not null or not all_clients);
alter table votes add constraint votes_value_check check (value in (1, -1));
alter table clients
  add constraint clients_limits_check check (
    send_emails_after_days >= 0 and send_emails_before_days >= send_emails_after_days and send_limit >= 0
    and (contract_send_limit is null or send_limit <= contract_send_limit)
    and (quarantine_period is null or quarantine_period >= 0));
alter table product_summaries add constraint product_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table family_summaries add constraint family_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table seller_summaries add constraint seller_summaries_count_check check (count = c1 + c2 + c3 + c4 + c5);
alter table product_summaries set (fillfactor = 50);
alter table family_summaries set (fillfactor = 50);
alter table seller_summaries set (fillfactor = 50);
alter table reviews set (fillfactor = 85);

-- ── The public JSON of a review ──────────────────────────────────────────────────────────────────────────────────

create function json_time(t timestamptz) returns text language sql immutable parallel safe as
$$ select coalesce('"' || to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"', 'null') $$;

create function json_text(t text) returns text language sql immutable parallel safe as
$$ select coalesce(to_json(t)::text, 'null') $$;

-- Without images (their addresses may be signed), portal_url (it names the server) and the closing brace: the reader
-- appends those three.
create function review_body(r reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","external_id":' || json_text(r.external_id)
    || ',"type":"customer","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"pros":' || array_to_json(r.pros) || ',"cons":' || array_to_json(r.cons)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer
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

-- updated_at moves at every change a reader can see, and at no other.
create function keep_review_body() returns trigger language plpgsql as $$
begin
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

create function keep_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at;
  if to_jsonb(new) - 'flag_count' is distinct from to_jsonb(old) - 'flag_count' then
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  return new;
end $$;
create trigger seller_reviews_keep_updated_at before update on seller_reviews for each row execute function keep_updated_at();
create trigger questions_keep_updated_at before update on questions for each row execute function keep_updated_at();
create trigger answers_keep_updated_at before update on answers for each row execute function keep_updated_at();
create trigger responses_keep_updated_at before update on responses for each row execute function keep_updated_at();

-- An answer is part of what a reader of its question sees.
create function touch_question() returns trigger language plpgsql as $$
begin
  update questions set answers_version = answers_version + 1
   where client_id = coalesce(new.client_id, old.client_id) and id = coalesce(new.question_id, old.question_id);
  return null;
end $$;
create trigger answers_touch_question after insert or update or delete on answers for each row execute function touch_question();

-- Replies, oldest first, as the review's JSON shows them.
create function keep_responses() returns trigger language plpgsql as $$
declare
  c text := coalesce(new.client_id, old.client_id);
  k text := coalesce(new.kind, old.kind);
  s text := coalesce(new.subject_id, old.subject_id);
  list jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('author', author, 'date', to_char(date, 'YYYY-MM-DD'), 'extract', extract,
           'lang', lang, 'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by created_at, id), '[]')
    into list from responses where client_id = c and kind = k and subject_id = s;
  if k = 'review' then
    update reviews set responses = list where client_id = c and id = s;
  else
    update seller_reviews set responses = list where client_id = c and id = s;
  end if;
  return null;
end $$;
create trigger responses_keep after insert or update or delete on responses for each row execute function keep_responses();

-- ── Counts of accepted reviews ───────────────────────────────────────────────────────────────────────────────────

-- Rows that left and rows that came, as one list of signed changes, are summed per key and added in key order (two
-- statements at once then lock the counters in the same order). No check that counts stay positive: it would judge the
-- signed row proposed for insertion before its conflict is seen; `summaries verify` recounts instead. `version` moves with everything that is displayed.
create type review_change as (client_id text, product_id text, family_id text, score int, sign int);

create function add_review_changes(changes review_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into product_summaries as s (client_id, product_id, count, sum, c1, c2, c3, c4, c5)
    select client_id, product_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int)
      from unnest(changes) where product_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, product_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1;
  insert into family_summaries as s (client_id, family_id, count, sum, c1, c2, c3, c4, c5)
    select client_id, family_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int)
      from unnest(changes) where family_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, family_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1;
end $$;

create function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1)::review_change from came where accepted));
  end if;
  return null;
end $$;
create function count_changed_reviews() returns trigger language plpgsql as $$
begin
  perform add_review_changes(array(
    select (r.client_id, r.product_id, r.family_id, r.score, r.sign)::review_change
      from (select l.*, -1 as sign from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and (n.body, n.images) is distinct from (l.body, l.images)
            union all
            select n.*, 1 from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and (n.body, n.images) is distinct from (l.body, l.images)) r));
  return null;
end $$;
create function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1)::review_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
create trigger reviews_count_new after insert on reviews referencing new table as came
  for each statement execute function count_new_reviews();
create trigger reviews_count_changed after update on reviews referencing old table as gone new table as came
  for each statement execute function count_changed_reviews();
create trigger reviews_count_gone after delete on reviews referencing old table as gone
  for each statement execute function count_gone_reviews();

create function add_seller_changes(changes review_change[]) returns void language sql as $$
  insert into seller_summaries as s (client_id, count, sum, c1, c2, c3, c4, c5)
    select client_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int)
      from unnest(changes) group by 1 order by 1
    on conflict (client_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1
$$;
create function count_new_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(select (client_id, null, null, score, 1)::review_change from came where accepted));
  return null;
end $$;
create function count_changed_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (client_id, null, null, score, -1)::review_change from gone where accepted
    union all select (client_id, null, null, score, 1)::review_change from came where accepted));
  return null;
end $$;
create function count_gone_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (g.client_id, null, null, g.score, -1)::review_change from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
create trigger seller_reviews_count_new after insert on seller_reviews referencing new table as came
  for each statement execute function count_new_seller_reviews();
create trigger seller_reviews_count_changed after update on seller_reviews referencing old table as gone new table as came
  for each statement execute function count_changed_seller_reviews();
create trigger seller_reviews_count_gone after delete on seller_reviews referencing old table as gone
  for each statement execute function count_gone_seller_reviews();

-- ── History is written once ──────────────────────────────────────────────────────────────────────────────────────

-- Only an erasure (which says so for its transaction) may wipe texts or drop rows.
create function refuse_history_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('candor.erasing', true), '') = 'on' then return coalesce(new, old); end if;
  raise exception 'moderation_events is append-only';
end $$;
create trigger moderation_events_append_only before update or delete on moderation_events
  for each row execute function refuse_history_change();

-- ── News for the caches of every process ─────────────────────────────────────────────────────────────────────────

create function raise_client_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end $$;
create trigger clients_raise_version before update on clients for each row execute function raise_client_version();

-- Payload: the kind of row and its id; whoever holds a copy of it drops that.
create function tell_caches() returns trigger language plpgsql as $$
declare
  row_id text := to_jsonb(coalesce(new, old)) ->> tg_argv[1];
begin
  perform pg_notify('candor_cache', tg_argv[0] || ':' || row_id);
  return null;
end $$;
create trigger clients_tell_caches after insert or update or delete on clients
  for each row execute function tell_caches('client', 'id');
create trigger users_tell_caches after insert or update or delete on users
  for each row execute function tell_caches('user', 'id');
create trigger user_clients_tell_caches after insert or update or delete on user_clients
  for each row execute function tell_caches('user', 'user_id');
create trigger api_keys_tell_caches after insert or update of revoked_at, scopes or delete on api_keys
  for each row execute function tell_caches('key', 'id');
create trigger api_key_clients_tell_caches after insert or update or delete on api_key_clients
  for each row execute function tell_caches('key', 'key_id');
