-- How many reviews there are by day, for the analytics: signed counts that triggers write, and their sums. Counts the
-- reviews that exist, which takes a few seconds per million.

create table review_counts (
  client_id text collate "C" not null,
  date date not null,
  id bigint generated always as identity,
  source text collate "C" not null,
  lang text collate "C",
  score smallint not null,
  accepted boolean,
  count integer not null,
  folded boolean not null default false,
  primary key (client_id, date, id)
);
create index review_counts_changes_idx on review_counts (client_id, date) where not folded;

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

insert into review_counts (client_id, date, source, lang, score, accepted, count, folded)
select client_id, date, source, lang, score, accepted, count(*), true from reviews group by 1, 2, 3, 4, 5, 6;

create or replace function take_along_unvouched() returns trigger language plpgsql as $$
begin
  delete from reviews where client_id = old.id;
  delete from review_counts where client_id = old.id;
  delete from customers where client_id = old.id;
  delete from moderation_events where client_id = old.id;
  delete from submissions where client_id = old.id;
  return null;
end $$;

-- Categories, for a filter.
create index products_category_idx on products (client_id, lower(category)) where category is not null;
