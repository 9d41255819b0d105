-- A vote on one review moved the version of its product and family, and with it everything displayed of them was made
-- anew: also the totals of answers, which read every review there is. What a summary is made of (which reviews, their
-- stars, points and answers) now has a version of its own, which votes, replies and other words leave alone.

alter table "product_summaries" add column "figures_version" bigint not null default 1;
alter table "family_summaries" add column "figures_version" bigint not null default 1;

create type summary_change as (client_id text, product_id text, family_id text, score int, sign int, figures boolean);

create function add_review_changes(changes summary_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into product_summaries as s (client_id, product_id, count, sum, c1, c2, c3, c4, c5, figures_version)
    select client_id, product_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int), bool_or(figures)::int
      from unnest(changes) where product_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, product_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1,
      figures_version = s.figures_version + excluded.figures_version;
  insert into family_summaries as s (client_id, family_id, count, sum, c1, c2, c3, c4, c5, figures_version)
    select client_id, family_id, sum(sign), sum(sign * score), sum(sign * (score = 1)::int), sum(sign * (score = 2)::int),
           sum(sign * (score = 3)::int), sum(sign * (score = 4)::int), sum(sign * (score = 5)::int), bool_or(figures)::int
      from unnest(changes) where family_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, family_id) do update set
      count = s.count + excluded.count, sum = s.sum + excluded.sum, c1 = s.c1 + excluded.c1, c2 = s.c2 + excluded.c2,
      c3 = s.c3 + excluded.c3, c4 = s.c4 + excluded.c4, c5 = s.c5 + excluded.c5, version = s.version + 1,
      figures_version = s.figures_version + excluded.figures_version;
end $$;

create or replace function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1, true)::summary_change from came where accepted));
  end if;
  return null;
end $$;
create or replace function count_changed_reviews() returns trigger language plpgsql as $$
begin
  perform add_review_changes(array(
    select (r.client_id, r.product_id, r.family_id, r.score, r.sign, r.figures)::summary_change
      from (select l.client_id, l.product_id, l.family_id, l.score, l.accepted, -1 as sign,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers)
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers) as figures
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and (n.body, n.images) is distinct from (l.body, l.images)
            union all
            select n.client_id, n.product_id, n.family_id, n.score, n.accepted, 1,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers)
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers)
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and (n.body, n.images) is distinct from (l.body, l.images)) r));
  return null;
end $$;
create or replace function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1, true)::summary_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  return null;
end $$;
drop function add_review_changes(review_change[]);
