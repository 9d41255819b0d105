-- Counters of accepted reviews per product and family, and the facets of those reviews. The triggers run once per
-- statement with all its rows. Old and new rows, as one list of signed changes, are summed per key and added in key
-- order, so that concurrent statements lock the counters in the same order. There is no check that counts stay
-- positive: it would apply to the signed row proposed for insertion before its conflict; `summaries verify` recounts
-- instead. `version` increases with every displayed change, `figures_version` only with the numbers that a summary is
-- computed from.

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

-- Facets of accepted reviews. Answers longer than 64 characters are not choices of a list.
create function facets_of(lang text, images jsonb, verified boolean, answers jsonb)
  returns table (facet text, value text) language sql immutable parallel safe as $$
  select 'lang', lang where lang <> ''
  union all select 'photos', '' where images <> '[]'
  union all select 'verified', '' where verified
  union all select 'answer.' || a.key, '' from jsonb_each(answers) a
  union all
  select 'answer.' || a.key, v from jsonb_each(answers) a
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(a.value) when 'array' then a.value else jsonb_build_array(a.value) end) v
   where v <> '' and char_length(v) <= 64
$$;

create type facet_change as (client_id text, product_id text, family_id text, facet text, value text, sign int);

-- After the counters of the summaries, in key order: concurrent statements for the same product wait there.
create function add_facet_changes(changes facet_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into review_facets as f (client_id, kind, subject_id, facet, value, count)
    select client_id, kind, subject_id, facet, value, sum(sign)
      from unnest(changes) cross join lateral (values ('product', product_id), ('family', family_id)) s(kind, subject_id)
     where subject_id is not null
     group by 1, 2, 3, 4, 5 having sum(sign) <> 0 order by 1, 2, 3, 4, 5
    on conflict (client_id, kind, subject_id, facet, value) do update set count = f.count + excluded.count;
  delete from review_facets f
   using (select distinct client_id, kind, subject_id, facet, value
            from unnest(changes) cross join lateral (values ('product', product_id), ('family', family_id)) s(kind, subject_id)
           where sign < 0 and subject_id is not null) c
   where f.client_id = c.client_id and f.kind = c.kind and f.subject_id = c.subject_id and f.facet = c.facet
     and f.value = c.value and f.count = 0;
end $$;

create function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1, true)::summary_change from came where accepted));
    perform add_facet_changes(array(
      select (n.client_id, n.product_id, n.family_id, f.facet, f.value, 1)::facet_change
        from came n cross join lateral facets_of(n.lang, n.images, n.verified_buyer, n.answers) f where n.accepted));
  end if;
  return null;
end $$;
create trigger reviews_count_new after insert on reviews referencing new table as came
  for each statement execute function count_new_reviews();

-- Joins old and new rows once. A vote or a reply changes no counter and ends here.
create type review_pair as (
  client_id text, was boolean, "is" boolean, old_product text, new_product text, old_family text, new_family text,
  old_score int, new_score int, figures boolean, facets boolean,
  old_lang text, new_lang text, old_images jsonb, new_images jsonb, old_verified boolean, new_verified boolean,
  old_answers jsonb, new_answers jsonb);

create function count_changed_reviews() returns trigger language plpgsql as $$
declare
  pairs review_pair[];
begin
  pairs := array(
    select (l.client_id, l.accepted is true, n.accepted is true, l.product_id, n.product_id, l.family_id, n.family_id, l.score, n.score,
            (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
              is distinct from
            (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]'),
            (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
              is distinct from
            (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]'),
            l.lang, n.lang, l.images, n.images, l.verified_buyer, n.verified_buyer, l.answers, n.answers)::review_pair
      from gone l join came n on n.client_id = l.client_id and n.id = l.id
     where (l.accepted or n.accepted) and (n.body, n.images) is distinct from (l.body, l.images));
  if cardinality(pairs) = 0 then return null; end if;
  perform add_review_changes(array(
    select (p.client_id, c.product_id, c.family_id, c.score, c.sign, p.figures)::summary_change
      from unnest(pairs) p cross join lateral (values
        (p.was, p.old_product, p.old_family, p.old_score, -1), (p."is", p.new_product, p.new_family, p.new_score, 1))
        c(shown, product_id, family_id, score, sign)
     where c.shown));
  if not exists (select from unnest(pairs) where facets) then return null; end if;
  perform add_facet_changes(array(
    select (p.client_id, c.product_id, c.family_id, f.facet, f.value, c.sign)::facet_change
      from unnest(pairs) p cross join lateral (values
        (p.was, p.old_product, p.old_family, p.old_lang, p.old_images, p.old_verified, p.old_answers, -1),
        (p."is", p.new_product, p.new_family, p.new_lang, p.new_images, p.new_verified, p.new_answers, 1))
        c(shown, product_id, family_id, lang, images, verified, answers, sign)
      cross join lateral facets_of(c.lang, c.images, c.verified, c.answers) f
     where c.shown and p.facets));
  return null;
end $$;
create trigger reviews_count_changed after update on reviews referencing old table as gone new table as came
  for each statement execute function count_changed_reviews();

create function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1, true)::summary_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  perform add_facet_changes(array(
    select (g.client_id, g.product_id, g.family_id, f.facet, f.value, -1)::facet_change
      from gone g join clients c on c.id = g.client_id
      cross join lateral facets_of(g.lang, g.images, g.verified_buyer, g.answers) f where g.accepted));
  return null;
end $$;
create trigger reviews_count_gone after delete on reviews referencing old table as gone
  for each statement execute function count_gone_reviews();
