-- How many reviews there are by day, for the analytics. Every change adds rows with signed counts, so that concurrent
-- writes never wait for each other; their sum is the count. A nightly job replaces the rows of a day by their sums.

create function add_review_counts() returns trigger language plpgsql as $$
begin
  insert into review_counts (client_id, date, source, lang, score, accepted, count)
  select client_id, date, source, lang, score, accepted, count(*) from came group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
create trigger reviews_add_counts after insert on reviews referencing new table as came
  for each statement execute function add_review_counts();

create function move_review_counts() returns trigger language plpgsql as $$
begin
  if is_moving_times() then return null; end if;
  insert into review_counts (client_id, date, source, lang, score, accepted, count) values
    (old.client_id, old.date, old.source, old.lang, old.score, old.accepted, -1),
    (new.client_id, new.date, new.source, new.lang, new.score, new.accepted, 1);
  return null;
end $$;
create trigger reviews_move_counts after update on reviews for each row
  when ((old.date, old.source, old.lang, old.score, old.accepted)
    is distinct from (new.date, new.source, new.lang, new.score, new.accepted))
  execute function move_review_counts();

create function remove_review_counts() returns trigger language plpgsql as $$
begin
  -- Deleting a client deletes its counts.
  insert into review_counts (client_id, date, source, lang, score, accepted, count)
  select g.client_id, g.date, g.source, g.lang, g.score, g.accepted, -count(*)
    from gone g join clients c on c.id = g.client_id group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
create trigger reviews_remove_counts after delete on reviews referencing old table as gone
  for each statement execute function remove_review_counts();
