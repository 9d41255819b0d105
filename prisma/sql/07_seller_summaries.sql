-- Counters of accepted seller reviews, maintained in the same way.

create type review_change as (client_id text, product_id text, family_id text, score int, sign int);

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
create trigger seller_reviews_count_new after insert on seller_reviews referencing new table as came
  for each statement execute function count_new_seller_reviews();

create function count_changed_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (client_id, null, null, score, -1)::review_change from gone where accepted
    union all select (client_id, null, null, score, 1)::review_change from came where accepted));
  return null;
end $$;
create trigger seller_reviews_count_changed after update on seller_reviews referencing old table as gone new table as came
  for each statement execute function count_changed_seller_reviews();

create function count_gone_seller_reviews() returns trigger language plpgsql as $$
begin
  perform add_seller_changes(array(
    select (g.client_id, null, null, g.score, -1)::review_change from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
create trigger seller_reviews_count_gone after delete on seller_reviews referencing old table as gone
  for each statement execute function count_gone_seller_reviews();
