-- Test stores, whose clock can be advanced: all times of their rows are moved into the past instead, so that every rule
-- and statement works with the database's own clock. Triggers don't take that for a change of the rows.

alter table clients add column test_days int;
alter table clients add constraint clients_test_days_check check (test_days >= 0);

create function is_moving_times() returns boolean language sql stable parallel safe as
$$ select coalesce(current_setting('candor.moving_times', true), '') = 'on' $$;

create or replace function keep_review_body() returns trigger language plpgsql as $$
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

create or replace function keep_public_body() returns trigger language plpgsql as $$
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

create or replace function keep_updated_at() returns trigger language plpgsql as $$
begin
  if is_moving_times() then return new; end if;
  new.updated_at := old.updated_at;
  if to_jsonb(new) - 'flag_count' is distinct from to_jsonb(old) - 'flag_count' then
    new.updated_at := greatest(clock_timestamp(), old.updated_at);
  end if;
  return new;
end $$;

create or replace function refuse_history_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('candor.erasing', true), '') = 'on' then return coalesce(new, old); end if;
  if tg_op = 'UPDATE' and is_moving_times() and to_jsonb(new) - 'at' = to_jsonb(old) - 'at'
     and exists (select from clients where id = new.client_id and test_days is not null) then
    return new;
  end if;
  raise exception 'moderation_events is append-only';
end $$;

create or replace function move_review_counts() returns trigger language plpgsql as $$
begin
  if is_moving_times() then return null; end if;
  insert into review_counts (client_id, date, source, lang, score, accepted, count) values
    (old.client_id, old.date, old.source, old.lang, old.score, old.accepted, -1),
    (new.client_id, new.date, new.source, new.lang, new.score, new.accepted, 1);
  return null;
end $$;
